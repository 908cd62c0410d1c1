import { createMachine } from "xstate";

// Generated from src/machines/forecast/forecast.machine.ts by `npm run statecharts`: import it into Stately's editor or visualizer.
export const forecast = createMachine({
  "id": "forecast",
  "invoke": {
    "id": "watchNews",
    "src": "watchNews"
  },
  "type": "parallel",
  "states": {
    "day": {
      "initial": "loading",
      "states": {
        "loading": {
          "tags": [
            "loading"
          ],
          "invoke": {
            "id": "fetchForecast",
            "src": "fetchForecast",
            "onDone": {
              "target": "shown",
              "actions": {
                "type": "storeDay"
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
                "id": "fetchForecast",
                "src": "fetchForecast",
                "onDone": {
                  "target": "current",
                  "actions": {
                    "type": "storeDay"
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
      }
    },
    "people": {
      "initial": "loading",
      "states": {
        "loading": {
          "tags": [
            "loading"
          ],
          "invoke": {
            "id": "fetchPeople",
            "src": "fetchPeople",
            "onDone": {
              "target": "shown",
              "actions": {
                "type": "storePeople"
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
                "id": "fetchPeople",
                "src": "fetchPeople",
                "onDone": {
                  "target": "current",
                  "actions": {
                    "type": "storePeople"
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
      }
    },
    "account": {
      "initial": "loading",
      "states": {
        "loading": {
          "tags": [
            "loading"
          ],
          "invoke": {
            "id": "fetchAccount",
            "src": "fetchAccount",
            "onDone": {
              "target": "shown",
              "actions": {
                "type": "storeAccount"
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
                "id": "fetchAccount",
                "src": "fetchAccount",
                "onDone": {
                  "target": "current",
                  "actions": {
                    "type": "storeAccount"
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
      }
    },
    "news": {
      "initial": "quiet",
      "states": {
        "quiet": {
          "on": {
            "news.changed": [
              {
                "guard": "isUntold",
                "target": "unheard"
              },
              {
                "guard": "isReading",
                "target": "noted"
              },
              {
                "target": "pausing",
                "actions": "refresh"
              }
            ]
          },
          "after": {
            "age": [
              {
                "guard": "isUntold",
                "target": "unheard"
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
        },
        "unheard": {}
      }
    }
  }
});
