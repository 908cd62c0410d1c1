import { createMachine } from "xstate";

// Generated from src/machines/lead-marks/lead-marks.machine.ts by `npm run statecharts`: import it into Stately's editor or visualizer.
export const leadMarks = createMachine({
  "id": "leadMarks",
  "on": {
    "lead.read": {
      "actions": {
        "type": "storeLead"
      }
    }
  },
  "type": "parallel",
  "states": {
    "tags": {
      "initial": "resting",
      "states": {
        "resting": {
          "on": {
            "tags.set": {
              "target": "saving",
              "actions": {
                "type": "storeTagIds"
              }
            }
          }
        },
        "saving": {
          "entry": {
            "type": "forgetProblem"
          },
          "invoke": {
            "id": "saveTags",
            "src": "saveTags",
            "onDone": {
              "target": "resting",
              "actions": [
                {
                  "type": "storeTags"
                },
                "tellOthers"
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
                "tellOthers"
              ]
            }
          }
        }
      }
    },
    "fields": {
      "initial": "resting",
      "on": {
        "field.change": {
          "actions": [
            {
              "type": "storeTyped"
            },
            {
              "type": "forgetProblem"
            }
          ]
        }
      },
      "states": {
        "resting": {
          "on": {
            "fields.cancel": {
              "guard": "isTyped",
              "actions": [
                "forgetTyped",
                {
                  "type": "forgetProblem"
                }
              ]
            },
            "fields.save": {
              "guard": "isReadable",
              "target": "saving"
            }
          }
        },
        "saving": {
          "entry": [
            "markSent",
            {
              "type": "forgetProblem"
            }
          ],
          "invoke": {
            "id": "saveFields",
            "src": "saveFields",
            "onDone": {
              "target": "resting",
              "actions": [
                {
                  "type": "storeFields"
                },
                "tellOthers"
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
                "tellOthers"
              ]
            }
          }
        }
      }
    },
    "exclusion": {
      "initial": "resting",
      "states": {
        "resting": {
          "on": {
            "lead.exclude": "awaitingConfirmation"
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
                "target": "excluding"
              },
              {
                "target": "resting"
              }
            ],
            "onError": "resting"
          },
          "entry": {
            "type": "forgetProblem"
          }
        },
        "excluding": {
          "invoke": {
            "id": "excludeLead",
            "src": "excludeLead",
            "onDone": {
              "target": "resting",
              "actions": [
                {
                  "type": "offerUndo"
                },
                "tellOthers"
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
                "tellOthers"
              ]
            }
          }
        }
      }
    }
  }
});
