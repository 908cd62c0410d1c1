import { createMachine } from "xstate";

// Generated from src/machines/overdue-followups/overdue-followups.machine.ts by `npm run statecharts`: import it into Stately's editor or visualizer.
export const overdueFollowups = createMachine({
  "id": "overdueFollowups",
  "invoke": [
    {
      "id": "watchPlan",
      "src": "watchPlan"
    },
    {
      "id": "watchReturns",
      "src": "watchReturns"
    }
  ],
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
            "id": "fetchOverdue",
            "src": "fetchOverdue",
            "onDone": {
              "target": "shown",
              "actions": {
                "type": "storeOverdue"
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
                "id": "fetchOverdue",
                "src": "fetchOverdue",
                "onDone": {
                  "target": "current",
                  "actions": {
                    "type": "storeOverdue"
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
    "word": {
      "initial": "awaited",
      "states": {
        "awaited": {
          "on": {
            "overdue.send": {
              "guard": "hasOverdue",
              "target": "awaitingConfirmation",
              "actions": "storeAsked"
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
                "target": "planning"
              },
              {
                "target": "awaited"
              }
            ],
            "onError": "awaited"
          }
        },
        "planning": {
          "invoke": {
            "id": "planOverdue",
            "src": "planOverdue",
            "onDone": {
              "target": "awaited",
              "actions": [
                {
                  "type": "announcePlanned"
                },
                "forgetOverdue",
                "refresh"
              ]
            },
            "onError": {
              "target": "awaited",
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
