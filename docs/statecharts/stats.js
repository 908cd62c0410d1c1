import { createMachine } from "xstate";

// Generated from src/machines/stats/stats.machine.ts by `npm run statecharts`: import it into Stately's editor or visualizer.
export const stats = createMachine({
  "id": "stats",
  "invoke": {
    "id": "watchReturns",
    "src": "watchReturns"
  },
  "type": "parallel",
  "states": {
    "stages": {
      "initial": "loading",
      "states": {
        "loading": {
          "tags": [
            "loading"
          ],
          "invoke": {
            "id": "listStages",
            "src": "listStages",
            "onDone": {
              "target": "loaded",
              "actions": {
                "type": "storeStages"
              }
            },
            "onError": {
              "target": "unread",
              "actions": {
                "type": "reportFailure"
              }
            }
          }
        },
        "unread": {
          "tags": [
            "unread"
          ],
          "on": {
            "reading.retry": "loading"
          }
        },
        "loaded": {}
      }
    },
    "figures": {
      "initial": "checking",
      "on": {
        "period.choose": {
          "target": ".checking",
          "actions": [
            {
              "type": "storePeriod"
            },
            {
              "type": "rememberPeriod"
            }
          ]
        },
        "dates.choose": {
          "guard": "isCustom",
          "target": ".checking",
          "actions": [
            {
              "type": "storeDates"
            },
            {
              "type": "rememberPeriod"
            }
          ]
        }
      },
      "states": {
        "checking": {
          "always": [
            {
              "guard": "canBeAsked",
              "target": "loading"
            },
            {
              "target": "awaitingDates"
            }
          ]
        },
        "awaitingDates": {
          "entry": "forgetFigures"
        },
        "loading": {
          "entry": "forgetRefusal",
          "invoke": {
            "id": "fetchFigures",
            "src": "fetchFigures",
            "onDone": [
              {
                "guard": {
                  "type": "areComplete"
                },
                "target": "shown",
                "actions": {
                  "type": "storeFigures"
                }
              },
              {
                "target": "incomplete",
                "actions": {
                  "type": "storeFigures"
                }
              }
            ],
            "onError": {
              "target": "incomplete",
              "actions": [
                "forgetFigures",
                {
                  "type": "storeRefusal"
                },
                {
                  "type": "reportFailure"
                }
              ]
            }
          }
        },
        "shown": {
          "on": {
            "reading.refresh": "loading"
          }
        },
        "incomplete": {
          "tags": "unread",
          "on": {
            "reading.retry": "loading",
            "reading.refresh": "loading"
          }
        }
      }
    },
    "conversion": {
      "initial": "checking",
      "on": {
        "period.choose": ".checking",
        "dates.choose": {
          "guard": "isCustom",
          "target": ".checking"
        },
        "conversionStage.choose": {
          "guard": {
            "type": "isOffered"
          },
          "target": ".checking",
          "actions": {
            "type": "storeConversionStage"
          }
        }
      },
      "states": {
        "checking": {
          "always": [
            {
              "guard": "canConvert",
              "target": "loading"
            },
            {
              "target": "absent"
            }
          ]
        },
        "absent": {
          "entry": "forgetConversion",
          "always": {
            "guard": "canConvert",
            "target": "loading"
          }
        },
        "failed": {
          "tags": "unread",
          "entry": "forgetConversion",
          "on": {
            "reading.retry": "loading",
            "reading.refresh": "loading"
          }
        },
        "loading": {
          "invoke": {
            "id": "fetchConversion",
            "src": "fetchConversion",
            "onDone": {
              "target": "shown",
              "actions": {
                "type": "storeConversion"
              }
            },
            "onError": {
              "target": "failed",
              "actions": [
                {
                  "type": "storeRefusal"
                },
                {
                  "type": "reportFailure"
                }
              ]
            }
          }
        },
        "shown": {
          "on": {
            "reading.refresh": "loading"
          }
        }
      }
    }
  }
});
