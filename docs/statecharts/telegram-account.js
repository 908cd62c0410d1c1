import { createMachine } from "xstate";

// Generated from src/machines/telegram-account/telegram-account.machine.ts by `npm run statecharts`: import it into Stately's editor or visualizer.
export const telegramAccount = createMachine({
  "id": "telegramAccount",
  "invoke": {
    "id": "watchAccount",
    "src": "watchAccount"
  },
  "type": "parallel",
  "states": {
    "health": {
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
    "work": {
      "initial": "resting",
      "states": {
        "resting": {
          "on": {
            "cap.submit": {
              "guard": "hasAccount",
              "target": "savingCap",
              "actions": "forgetProblem"
            },
            "sending.resume": {
              "guard": "isStopped",
              "target": "resuming",
              "actions": "forgetProblem"
            }
          }
        },
        "savingCap": {
          "tags": "busy",
          "invoke": {
            "id": "saveDailyCap",
            "src": "saveDailyCap",
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
        "resuming": {
          "tags": "busy",
          "invoke": {
            "id": "resumeSending",
            "src": "resumeSending",
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
        }
      }
    }
  }
});
