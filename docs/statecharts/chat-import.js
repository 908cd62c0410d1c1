import { createMachine } from "xstate";

// Generated from src/machines/chat-import/chat-import.machine.ts by `npm run statecharts`: import it into Stately's editor or visualizer.
export const chatImport = createMachine({
  "id": "chatImport",
  "initial": "loading",
  "states": {
    "loading": {
      "tags": [
        "loading"
      ],
      "invoke": {
        "id": "readImport",
        "src": "readImport",
        "onDone": {
          "target": "resting",
          "actions": {
            "type": "storeJob"
          }
        },
        "onError": {
          "target": "unread",
          "actions": {
            "type": "reportFailure"
          }
        }
      }
    },
    "unread": {
      "tags": [
        "unread"
      ],
      "on": {
        "reading.retry": "loading"
      }
    },
    "resting": {
      "always": {
        "guard": "isUnderWay",
        "target": "running"
      },
      "on": {
        "days.change": {
          "actions": {
            "type": "storeDays"
          }
        },
        "contacts.change": {
          "actions": {
            "type": "storeContacts"
          }
        },
        "import.start": [
          {
            "guard": "isPossible",
            "target": "starting",
            "actions": "forgetProblem"
          },
          {
            "actions": "refuseDays"
          }
        ]
      }
    },
    "starting": {
      "invoke": {
        "id": "orderImport",
        "src": "orderImport",
        "onDone": {
          "target": "resting",
          "actions": {
            "type": "storeJob"
          }
        },
        "onError": [
          {
            "guard": {
              "type": "isAlreadyRunning"
            },
            "target": "loading"
          },
          {
            "guard": {
              "type": "isUnanswered"
            },
            "target": "loading",
            "actions": [
              {
                "type": "storeProblem"
              },
              {
                "type": "reportFailure"
              }
            ]
          },
          {
            "target": "resting",
            "actions": [
              {
                "type": "storeProblem"
              },
              {
                "type": "reportFailure"
              }
            ]
          }
        ]
      }
    },
    "running": {
      "initial": "waiting",
      "on": {
        "import.cancel": {
          "target": "cancelling",
          "actions": "forgetProblem"
        }
      },
      "states": {
        "waiting": {
          "after": {
            "pollPause": "looking"
          }
        },
        "looking": {
          "invoke": {
            "id": "pollImport",
            "src": "pollImport",
            "onDone": [
              {
                "guard": {
                  "type": "isGoingOn"
                },
                "target": "waiting",
                "actions": {
                  "type": "storeJob"
                }
              },
              {
                "target": "#chatImport.resting",
                "actions": {
                  "type": "storeJob"
                }
              }
            ],
            "onError": {
              "target": "waiting",
              "actions": [
                "markBehind",
                {
                  "type": "reportFailure"
                }
              ]
            }
          }
        }
      }
    },
    "cancelling": {
      "invoke": {
        "id": "cancelImport",
        "src": "cancelImport",
        "onDone": {
          "target": "resting",
          "actions": {
            "type": "storeJob"
          }
        },
        "onError": {
          "target": "running.looking",
          "actions": [
            {
              "type": "storeProblem"
            },
            {
              "type": "reportFailure"
            }
          ]
        }
      }
    }
  }
});
