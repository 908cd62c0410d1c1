import { createMachine } from "xstate";

// Generated from src/machines/keyword-lab/keyword-lab.machine.ts by `npm run statecharts`: import it into Stately's editor or visualizer.
export const keywordLab = createMachine({
  "id": "keywordLab",
  "on": {
    "words.edited": {
      "actions": {
        "type": "storeWords"
      }
    }
  },
  "initial": "idle",
  "states": {
    "idle": {
      "on": {
        "lab.try": {
          "guard": "hasWords",
          "target": "trying"
        }
      }
    },
    "trying": {
      "entry": "startTrial",
      "on": {
        "lab.close": {
          "target": "idle",
          "actions": "forgetPreview"
        }
      },
      "invoke": {
        "id": "tryWords",
        "src": "tryWords",
        "onDone": {
          "target": "judging",
          "actions": {
            "type": "storePreview"
          }
        },
        "onError": {
          "target": "unread",
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
    "judging": {
      "always": [
        {
          "guard": "isUntold",
          "target": "absent"
        },
        {
          "target": "shown"
        }
      ]
    },
    "shown": {
      "tags": "tried",
      "always": {
        "guard": "isEdited",
        "target": "stale"
      },
      "on": {
        "lab.try": "trying",
        "lab.close": {
          "target": "idle",
          "actions": "forgetPreview"
        }
      }
    },
    "stale": {
      "tags": "tried",
      "always": {
        "guard": "isAsTried",
        "target": "shown"
      },
      "on": {
        "lab.try": {
          "guard": "hasWords",
          "target": "trying"
        },
        "lab.close": {
          "target": "idle",
          "actions": "forgetPreview"
        }
      }
    },
    "unread": {
      "on": {
        "lab.try": {
          "guard": "hasWords",
          "target": "trying"
        },
        "lab.close": {
          "target": "idle",
          "actions": "forgetPreview"
        }
      }
    },
    "absent": {}
  }
});
