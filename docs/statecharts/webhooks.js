import { createMachine } from "xstate";

// Generated from src/machines/webhooks/webhooks.machine.ts by `npm run statecharts`: import it into Stately's editor or visualizer.
export const webhooks = createMachine({
  "id": "webhooks",
  "invoke": {
    "id": "watchWebhooks",
    "src": "watchWebhooks"
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
            "id": "listWebhooks",
            "src": "listWebhooks",
            "onDone": {
              "target": "shown",
              "actions": {
                "type": "storeWebhooks"
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
                "id": "listWebhooks",
                "src": "listWebhooks",
                "onDone": {
                  "target": "current",
                  "actions": {
                    "type": "storeWebhooks"
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
            "webhook.add": {
              "target": "editing",
              "actions": {
                "type": "startForm"
              }
            },
            "webhook.edit": {
              "guard": {
                "type": "isListed"
              },
              "target": "editing",
              "actions": [
                {
                  "type": "choose"
                },
                {
                  "type": "startForm"
                }
              ]
            },
            "webhook.switch": {
              "guard": {
                "type": "isListed"
              },
              "target": "switching",
              "actions": {
                "type": "choose"
              }
            },
            "webhook.delete": {
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
                "guard": "canSave",
                "target": "saving"
              },
              {
                "actions": "markMissing"
              }
            ]
          }
        },
        "saving": {
          "invoke": {
            "id": "saveWebhook",
            "src": "saveWebhook",
            "onDone": [
              {
                "guard": {
                  "type": "isNew"
                },
                "target": "revealed",
                "actions": [
                  {
                    "type": "storeSecret"
                  },
                  "refresh"
                ]
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
        "switching": {
          "invoke": {
            "id": "switchWebhook",
            "src": "switchWebhook",
            "onDone": {
              "target": "resting",
              "actions": "refresh"
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
            "id": "removeWebhook",
            "src": "removeWebhook",
            "onDone": {
              "target": "resting",
              "actions": [
                "announceDeleted",
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
