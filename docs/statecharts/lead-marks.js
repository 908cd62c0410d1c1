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
  "initial": "resting",
  "states": {
    "resting": {
      "on": {
        "tags.set": {
          "target": "savingTags",
          "actions": {
            "type": "storeTagIds"
          }
        },
        "field.change": {
          "actions": {
            "type": "storeTyped"
          }
        },
        "fields.cancel": {
          "guard": "isTyped",
          "actions": "forgetTyped"
        },
        "fields.save": {
          "guard": "isReadable",
          "target": "savingFields",
          "actions": {
            "type": "begin"
          }
        },
        "lead.exclude": {
          "target": "awaitingConfirmation",
          "actions": {
            "type": "begin"
          }
        }
      }
    },
    "savingTags": {
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
            }
          ]
        }
      }
    },
    "savingFields": {
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
            }
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
            "target": "excluding"
          },
          {
            "target": "resting"
          }
        ],
        "onError": "resting"
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
            }
          ]
        }
      }
    }
  }
});
