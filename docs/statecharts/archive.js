import { createMachine } from "xstate";

// Generated from src/machines/archive/archive.machine.ts by `npm run statecharts`: import it into Stately's editor or visualizer.
export const archive = createMachine({
  "id": "archive",
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
        "download.request": {
          "target": "downloading",
          "actions": "forgetProblem"
        },
        "file.choose": {
          "actions": {
            "type": "storeFile"
          }
        },
        "import.start": [
          {
            "guard": "hasFile",
            "target": "sending",
            "actions": "forgetProblem"
          },
          {
            "actions": "askForFile"
          }
        ]
      }
    },
    "downloading": {
      "invoke": {
        "id": "downloadArchive",
        "src": "downloadArchive",
        "onDone": {
          "target": "resting",
          "actions": {
            "type": "saveArchive"
          }
        },
        "onError": {
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
      }
    },
    "sending": {
      "invoke": {
        "id": "sendArchive",
        "src": "sendArchive",
        "onDone": {
          "target": "resting",
          "actions": [
            {
              "type": "storeJob"
            },
            "forgetFile"
          ]
        },
        "onError": [
          {
            "guard": {
              "type": "isAlreadyRunning"
            },
            "target": "loading",
            "actions": "forgetFile"
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
                "target": "#archive.resting",
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
    }
  }
});
