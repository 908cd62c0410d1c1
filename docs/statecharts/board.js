import { createMachine } from "xstate";

// Generated from src/machines/board/board.machine.ts by `npm run statecharts`: import it into Stately's editor or visualizer.
export const board = createMachine({
  "id": "board",
  "type": "parallel",
  "invoke": [
    {
      "id": "watchBoard",
      "src": "watchBoard"
    },
    {
      "id": "watchAddress",
      "src": "watchAddress"
    }
  ],
  "states": {
    "columns": {
      "initial": "loading",
      "states": {
        "loading": {
          "tags": [
            "loading"
          ],
          "invoke": {
            "id": "fetchBoard",
            "src": "fetchBoard",
            "onDone": {
              "target": "shown",
              "actions": {
                "type": "storeBoard"
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
                "id": "fetchBoard",
                "src": "fetchBoard",
                "onDone": {
                  "target": "current",
                  "actions": {
                    "type": "storeBoard"
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
                "reading.retry": {
                  "guard": "isHandFree",
                  "target": "refreshing"
                }
              }
            }
          }
        }
      },
      "on": {
        "address.changed": {
          "guard": {
            "type": "isElsewhere"
          },
          "target": ".loading",
          "actions": {
            "type": "goToFilters"
          }
        },
        "filters.clear": {
          "guard": "canClear",
          "target": ".loading",
          "actions": [
            "clearFilters",
            {
              "type": "writeAddress"
            }
          ]
        }
      }
    },
    "tail": {
      "initial": "resting",
      "on": {
        "column.more": {
          "guard": {
            "type": "hasMore"
          },
          "target": ".extending",
          "actions": {
            "type": "markExtended"
          }
        },
        "address.changed": {
          "guard": {
            "type": "isElsewhere"
          },
          "target": ".resting"
        },
        "filters.clear": {
          "guard": "canClear",
          "target": ".resting"
        }
      },
      "states": {
        "resting": {},
        "extending": {
          "on": {
            "column.more": {}
          },
          "invoke": {
            "id": "fetchColumn",
            "src": "fetchColumn",
            "onDone": {
              "target": "resting",
              "actions": {
                "type": "storePage"
              }
            },
            "onError": {
              "target": "unextended",
              "actions": {
                "type": "reportFailure"
              }
            }
          }
        },
        "unextended": {
          "on": {
            "column.more": {
              "guard": "isHolding"
            }
          }
        }
      }
    },
    "hand": {
      "initial": "resting",
      "states": {
        "resting": {
          "on": {
            "card.lift": {
              "guard": {
                "type": "isShown"
              },
              "target": "dragging",
              "actions": {
                "type": "storeDragged"
              }
            },
            "card.move": {
              "guard": {
                "type": "isOtherColumn"
              },
              "actions": {
                "type": "queueMove"
              }
            }
          }
        },
        "dragging": {
          "on": {
            "card.drop": [
              {
                "guard": {
                  "type": "isOtherColumn"
                },
                "target": "resting",
                "actions": [
                  {
                    "type": "queueDrop"
                  },
                  "letGo"
                ]
              },
              {
                "target": "resting",
                "actions": "letGo"
              }
            ],
            "card.release": {
              "target": "resting",
              "actions": "letGo"
            },
            "address.changed": {
              "guard": {
                "type": "isElsewhere"
              },
              "target": "resting",
              "actions": "letGo"
            }
          }
        }
      }
    },
    "moves": {
      "initial": "settled",
      "states": {
        "settled": {
          "always": {
            "guard": "hasMoves",
            "target": "moving"
          }
        },
        "moving": {
          "invoke": {
            "id": "moveLead",
            "src": "moveLead",
            "onDone": {
              "target": "settled",
              "actions": [
                {
                  "type": "offerUndo"
                },
                "settleMove",
                "noteNews"
              ]
            },
            "onError": {
              "target": "refused",
              "actions": [
                "takeBack",
                {
                  "type": "warnUnanswered"
                },
                {
                  "type": "reportFailure"
                },
                "noteNews"
              ]
            }
          }
        },
        "refused": {
          "invoke": {
            "id": "showAlert",
            "src": "showAlert",
            "onDone": "settled",
            "onError": "settled"
          }
        }
      }
    },
    "news": {
      "initial": "quiet",
      "states": {
        "quiet": {
          "on": {
            "board.changed": "gathering"
          }
        },
        "gathering": {
          "after": {
            "newsPause": [
              {
                "guard": "isQuiet",
                "target": "quiet",
                "actions": "refresh"
              },
              {
                "target": "gathering",
                "reenter": true
              }
            ]
          }
        }
      }
    }
  }
});
