import { createMachine } from "xstate";

// Generated from src/machines/ledger/ledger.machine.ts by `npm run statecharts`: import it into Stately's editor or visualizer.
export const ledger = createMachine({
  "id": "ledger",
  "type": "parallel",
  "invoke": [
    {
      "id": "watchNews",
      "src": "watchNews"
    },
    {
      "id": "watchAddress",
      "src": "watchAddress"
    }
  ],
  "states": {
    "list": {
      "initial": "loading",
      "states": {
        "loading": {
          "tags": [
            "loading"
          ],
          "invoke": {
            "id": "fetchLedger",
            "src": "fetchLedger",
            "onDone": {
              "target": "shown",
              "actions": {
                "type": "storeLedger"
              }
            },
            "onError": {
              "target": "unread",
              "actions": {
                "type": "reportFailure"
              }
            }
          },
          "on": {
            "reading.refresh": {
              "target": "loading",
              "reenter": true
            }
          }
        },
        "unread": {
          "tags": [
            "unread"
          ],
          "on": {
            "reading.retry": "loading",
            "reading.refresh": "loading"
          }
        },
        "shown": {
          "initial": "current",
          "on": {
            "reading.refresh": ".refreshing"
          },
          "states": {
            "current": {},
            "refreshing": {
              "tags": [
                "refreshing"
              ],
              "invoke": {
                "id": "fetchLedger",
                "src": "fetchLedger",
                "onDone": {
                  "target": "current",
                  "actions": {
                    "type": "storeLedger"
                  }
                },
                "onError": {
                  "target": "outdated",
                  "actions": {
                    "type": "reportFailure"
                  }
                }
              }
            },
            "outdated": {
              "tags": [
                "outdated"
              ],
              "on": {
                "reading.retry": "refreshing"
              }
            }
          }
        }
      },
      "on": {
        "filters.change": {
          "guard": {
            "type": "isOther"
          },
          "target": ".loading",
          "actions": [
            {
              "type": "storeFilters"
            },
            {
              "type": "writeAddress"
            }
          ]
        },
        "filters.clear": {
          "guard": "isFiltered",
          "target": ".loading",
          "actions": [
            {
              "type": "storeFilters"
            },
            {
              "type": "writeAddress"
            }
          ]
        },
        "address.changed": {
          "guard": {
            "type": "isOther"
          },
          "target": ".loading",
          "actions": {
            "type": "storeFilters"
          }
        },
        "fresh.show": {
          "guard": "hasFresh",
          "actions": "showFresh"
        }
      }
    },
    "older": {
      "initial": "resting",
      "states": {
        "resting": {
          "on": {
            "older.load": {
              "guard": "canGrow",
              "target": "loading"
            }
          }
        },
        "loading": {
          "invoke": {
            "id": "fetchOlder",
            "src": "fetchOlder",
            "onDone": {
              "target": "resting",
              "actions": {
                "type": "storeOlder"
              }
            },
            "onError": {
              "target": "failed",
              "actions": {
                "type": "reportFailure"
              }
            }
          }
        },
        "failed": {
          "on": {
            "older.load": {
              "guard": "canGrow",
              "target": "loading"
            }
          }
        }
      },
      "on": {
        "filters.change": {
          "guard": {
            "type": "isOther"
          },
          "target": ".resting"
        },
        "filters.clear": {
          "guard": "isFiltered",
          "target": ".resting"
        },
        "address.changed": {
          "guard": {
            "type": "isOther"
          },
          "target": ".resting"
        }
      }
    },
    "news": {
      "initial": "quiet",
      "states": {
        "quiet": {
          "on": {
            "news.changed": [
              {
                "guard": "isReading",
                "target": "noted"
              },
              {
                "target": "pausing",
                "actions": "refresh"
              }
            ]
          }
        },
        "pausing": {
          "on": {
            "news.changed": "noted"
          },
          "after": {
            "newsPause": "quiet"
          }
        },
        "noted": {
          "after": {
            "newsPause": [
              {
                "guard": "isReading",
                "target": "noted",
                "reenter": true
              },
              {
                "target": "pausing",
                "actions": "refresh"
              }
            ]
          }
        }
      }
    }
  }
});
