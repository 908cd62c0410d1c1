import { createMachine } from "xstate";

// Generated from src/machines/api-key/api-key.machine.ts by `npm run statecharts`: import it into Stately's editor or visualizer.
export const apiKey = createMachine({
  "id": "apiKey",
  "invoke": {
    "id": "watchReturns",
    "src": "watchReturns"
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
            "id": "listKeys",
            "src": "listKeys",
            "onDone": {
              "target": "shown",
              "actions": {
                "type": "storeKeys"
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
                "id": "listKeys",
                "src": "listKeys",
                "onDone": {
                  "target": "current",
                  "actions": {
                    "type": "storeKeys"
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
            "key.add": {
              "target": "editing",
              "actions": {
                "type": "startForm"
              }
            },
            "key.revoke": {
              "guard": {
                "type": "isListed"
              },
              "target": "awaitingConfirmation",
              "actions": {
                "type": "choose"
              }
            }
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
                "guard": "canCreate",
                "target": "creating"
              },
              {
                "actions": "markMissing"
              }
            ]
          }
        },
        "creating": {
          "invoke": {
            "id": "createKey",
            "src": "createKey",
            "onDone": {
              "target": "revealed",
              "actions": [
                {
                  "type": "storeMade"
                },
                "refresh"
              ]
            },
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
        "revealed": {
          "on": {
            "secret.copy": {
              "target": "copying",
              "actions": {
                "type": "storeCopying"
              }
            },
            "secret.dismiss": [
              {
                "guard": "hasCopied",
                "target": "resting"
              },
              {
                "target": "awaitingDismissal"
              }
            ]
          }
        },
        "copying": {
          "invoke": {
            "id": "copyText",
            "src": "copyText",
            "onDone": {
              "target": "revealed",
              "actions": {
                "type": "storeCopied"
              }
            },
            "onError": {
              "target": "revealed",
              "actions": {
                "type": "storeCopied"
              }
            }
          }
        },
        "awaitingDismissal": {
          "invoke": {
            "id": "askConfirmation",
            "src": "askConfirmation",
            "onDone": [
              {
                "guard": {
                  "type": "isConfirmed"
                },
                "target": "resting"
              },
              {
                "target": "revealed"
              }
            ],
            "onError": "revealed"
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
                "target": "revoking"
              },
              {
                "target": "resting"
              }
            ],
            "onError": "resting"
          }
        },
        "revoking": {
          "invoke": {
            "id": "revokeKey",
            "src": "revokeKey",
            "onDone": {
              "target": "resting",
              "actions": [
                {
                  "type": "announceRevoked"
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
