import { createMachine } from "xstate";

// Generated from src/machines/webhook-deliveries/webhook-deliveries.machine.ts by `npm run statecharts`: import it into Stately's editor or visualizer.
export const webhookDeliveries = createMachine({
  "id": "webhookDeliveries",
  "invoke": {
    "id": "watchWebhook",
    "src": "watchWebhook"
  },
  "type": "parallel",
  "on": {
    "delivery.open": {
      "guard": {
        "type": "isClosed"
      },
      "actions": {
        "type": "open"
      }
    },
    "delivery.close": {
      "guard": "isOpen",
      "actions": "close"
    }
  },
  "states": {
    "list": {
      "initial": "loading",
      "states": {
        "loading": {
          "tags": [
            "loading"
          ],
          "invoke": {
            "id": "fetchDeliveries",
            "src": "fetchDeliveries",
            "onDone": {
              "target": "shown",
              "actions": {
                "type": "storeDeliveries"
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
                "id": "fetchDeliveries",
                "src": "fetchDeliveries",
                "onDone": {
                  "target": "current",
                  "actions": {
                    "type": "storeDeliveries"
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
      }
    },
    "work": {
      "initial": "resting",
      "states": {
        "resting": {
          "entry": "letGo",
          "on": {
            "delivery.replay": {
              "guard": {
                "type": "canReplay"
              },
              "target": "replaying",
              "actions": [
                "forgetProblem",
                {
                  "type": "choose"
                }
              ]
            },
            "webhook.test": {
              "guard": "isEnabled",
              "target": "testing",
              "actions": "forgetProblem"
            },
            "webhook.enable": {
              "guard": "isDisabled",
              "target": "enabling",
              "actions": "forgetProblem"
            }
          }
        },
        "replaying": {
          "invoke": {
            "id": "replayDelivery",
            "src": "replayDelivery",
            "onDone": {
              "target": "resting",
              "actions": [
                {
                  "type": "storeSent"
                },
                {
                  "type": "announce"
                },
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
        },
        "testing": {
          "invoke": {
            "id": "sendTest",
            "src": "sendTest",
            "onDone": {
              "target": "resting",
              "actions": [
                {
                  "type": "storeSent"
                },
                {
                  "type": "announce"
                },
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
        },
        "enabling": {
          "invoke": {
            "id": "enableWebhook",
            "src": "enableWebhook",
            "onDone": {
              "target": "resting",
              "actions": [
                {
                  "type": "announce"
                },
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
