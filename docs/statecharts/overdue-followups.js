import { createMachine } from "xstate";

// Generated from src/machines/overdue-followups/overdue-followups.machine.ts by `npm run statecharts`: import it into Stately's editor or visualizer.
export const overdueFollowups = createMachine({
  "id": "overdueFollowups",
  "invoke": {
    "id": "watchPlan",
    "src": "watchPlan"
  },
  "initial": "loading",
  "states": {
    "loading": {
      "on": {
        "plan.changed": {
          "target": "loading",
          "reenter": true
        }
      },
      "invoke": {
        "id": "fetchOverdue",
        "src": "fetchOverdue",
        "onDone": [
          {
            "guard": {
              "type": "hasOverdue"
            },
            "target": "awaitingWord",
            "actions": {
              "type": "storeOverdue"
            }
          },
          {
            "target": "absent"
          }
        ],
        "onError": {
          "target": "absent",
          "actions": {
            "type": "reportFailure"
          }
        }
      }
    },
    "absent": {
      "on": {
        "plan.changed": "loading"
      }
    },
    "awaitingWord": {
      "on": {
        "overdue.send": {
          "target": "awaitingConfirmation",
          "actions": "forgetProblem"
        },
        "plan.changed": {
          "target": "loading",
          "actions": "forgetProblem"
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
            "target": "awaitingWord"
          }
        ],
        "onError": "awaitingWord"
      }
    },
    "planning": {
      "invoke": {
        "id": "planOverdue",
        "src": "planOverdue",
        "onDone": {
          "target": "loading",
          "actions": {
            "type": "announcePlanned"
          }
        },
        "onError": {
          "target": "awaitingWord",
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
