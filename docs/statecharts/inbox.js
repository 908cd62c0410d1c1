import { createMachine } from "xstate";

// Generated from src/machines/inbox/inbox.machine.ts by `npm run statecharts`: import it into Stately's editor or visualizer.
export const inbox = createMachine({
  "id": "inbox",
  "type": "parallel",
  "invoke": [
    {
      "id": "watchInbox",
      "src": "watchInbox"
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
            "id": "fetchInbox",
            "src": "fetchInbox",
            "onDone": {
              "target": "shown",
              "actions": {
                "type": "storeInbox"
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
                "id": "fetchInbox",
                "src": "fetchInbox",
                "onDone": {
                  "target": "current",
                  "actions": {
                    "type": "storeInbox"
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
        "view.choose": {
          "guard": {
            "type": "isOtherView"
          },
          "target": ".loading",
          "actions": [
            {
              "type": "storeView"
            },
            {
              "type": "writeAddress"
            }
          ]
        },
        "query.apply": {
          "guard": "isOtherQuery",
          "target": ".loading",
          "actions": [
            "applyQuery",
            {
              "type": "writeAddress"
            }
          ]
        },
        "address.changed": {
          "guard": {
            "type": "isElsewhere"
          },
          "target": ".loading",
          "actions": {
            "type": "goToPlace"
          }
        }
      }
    },
    "tail": {
      "initial": "resting",
      "states": {
        "resting": {
          "on": {
            "list.more": {
              "guard": "hasMore",
              "target": "extending"
            }
          }
        },
        "extending": {
          "tags": "extending",
          "invoke": {
            "id": "fetchTail",
            "src": "fetchTail",
            "onDone": {
              "target": "resting",
              "actions": {
                "type": "storeTail"
              }
            },
            "onError": {
              "target": "unextended",
              "actions": {
                "type": "reportFailure"
              }
            }
          },
          "on": {
            "reading.refresh": "resting",
            "view.choose": "resting",
            "query.apply": "resting",
            "address.changed": "resting"
          }
        },
        "unextended": {
          "on": {
            "list.more": {
              "guard": "hasMore",
              "target": "extending"
            },
            "view.choose": "resting",
            "query.apply": "resting",
            "address.changed": "resting"
          }
        }
      }
    },
    "search": {
      "initial": "resting",
      "on": {
        "query.change": {
          "target": ".typing",
          "actions": {
            "type": "storeTyped"
          }
        }
      },
      "states": {
        "resting": {},
        "typing": {
          "after": {
            "queryPause": {
              "target": "resting",
              "actions": "apply"
            }
          },
          "on": {
            "query.apply": "resting",
            "address.changed": {
              "guard": {
                "type": "isElsewhere"
              },
              "target": "resting"
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
            "inbox.changed": [
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
            "inbox.changed": "noted"
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
    },
    "next": {
      "initial": "resting",
      "states": {
        "resting": {
          "on": {
            "waiting.find": "finding"
          }
        },
        "finding": {
          "invoke": {
            "id": "findWaiting",
            "src": "findWaiting",
            "onDone": [
              {
                "guard": {
                  "type": "isFound"
                },
                "target": "resting",
                "actions": {
                  "type": "openLead"
                }
              },
              {
                "target": "resting",
                "actions": "tellNobodyWaits"
              }
            ],
            "onError": {
              "target": "resting",
              "actions": [
                "tellNotFound",
                {
                  "type": "reportFailure"
                }
              ]
            }
          }
        }
      }
    }
  }
});
