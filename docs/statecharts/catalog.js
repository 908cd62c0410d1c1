import { createMachine } from "xstate";

// Generated from src/machines/catalog/catalog.machine.ts by `npm run statecharts`: import it into Stately's editor or visualizer.
export const catalog = createMachine({
  "id": "catalog",
  "invoke": {
    "id": "watchCatalog",
    "src": "watchCatalog"
  },
  "type": "parallel",
  "states": {
    "list": {
      "initial": "loading",
      "states": {
        "loading": {
          "tags": [
            "loading"
          ],
          "invoke": {
            "id": "listItems",
            "src": "listItems",
            "onDone": {
              "target": "shown",
              "actions": {
                "type": "storeItems"
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
                "id": "listItems",
                "src": "listItems",
                "onDone": {
                  "target": "current",
                  "actions": {
                    "type": "storeItems"
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
    "work": {
      "initial": "resting",
      "states": {
        "resting": {
          "entry": "letGo",
          "on": {
            "item.add": {
              "target": "editing",
              "actions": {
                "type": "startNew"
              }
            },
            "item.edit": {
              "guard": {
                "type": "isListed"
              },
              "target": "editing",
              "actions": {
                "type": "startEdit"
              }
            },
            "item.delete": [
              {
                "guard": {
                  "type": "isCarried"
                },
                "target": "awaitingConfirmation",
                "actions": {
                  "type": "choose"
                }
              },
              {
                "guard": {
                  "type": "isListed"
                },
                "target": "deleting",
                "actions": {
                  "type": "choose"
                }
              }
            ]
          }
        },
        "editing": {
          "on": {
            "form.change": {
              "actions": {
                "type": "storeForm"
              }
            },
            "form.cancel": {
              "target": "resting",
              "actions": "forgetProblem"
            },
            "form.submit": [
              {
                "guard": "isNamed",
                "target": "saving",
                "actions": "forgetTarget"
              },
              {
                "actions": "markMissing"
              }
            ]
          }
        },
        "saving": {
          "invoke": {
            "id": "saveItem",
            "src": "saveItem",
            "onDone": [
              {
                "guard": {
                  "type": "mustAsk"
                },
                "target": "awaitingTarget",
                "actions": {
                  "type": "storeQuestion"
                }
              },
              {
                "target": "resting",
                "actions": [
                  "forgetProblem",
                  "refresh"
                ]
              }
            ],
            "onError": {
              "target": "editing",
              "actions": [
                {
                  "type": "storeProblem"
                },
                {
                  "type": "reportFailure"
                },
                "refresh"
              ]
            }
          }
        },
        "awaitingTarget": {
          "exit": "forgetQuestion",
          "on": {
            "target.choose": {
              "target": "saving",
              "actions": {
                "type": "storeTarget"
              }
            },
            "target.cancel": "editing"
          }
        },
        "awaitingConfirmation": {
          "invoke": {
            "id": "askConfirmation",
            "src": "askConfirmation",
            "onDone": [
              {
                "guard": {
                  "type": "isConfirmed"
                },
                "target": "deleting"
              },
              {
                "target": "resting"
              }
            ],
            "onError": "resting"
          }
        },
        "deleting": {
          "invoke": {
            "id": "removeItem",
            "src": "removeItem",
            "onDone": {
              "target": "resting",
              "actions": [
                {
                  "type": "offerUndo"
                },
                "dropActive",
                "refresh"
              ]
            },
            "onError": {
              "target": "resting",
              "actions": [
                {
                  "type": "storeProblem"
                },
                {
                  "type": "reportFailure"
                },
                "refresh"
              ]
            }
          }
        }
      }
    }
  }
});
