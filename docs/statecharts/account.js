import { createMachine } from "xstate";

// Generated from src/machines/account/account.machine.ts by `npm run statecharts`: import it into Stately's editor or visualizer.
export const account = createMachine({
  "id": "account",
  "initial": "kept",
  "states": {
    "kept": {
      "on": {
        "export.request": {
          "target": "exporting",
          "actions": "forgetProblem"
        },
        "deletion.open": {
          "target": "awaitingConfirmation",
          "actions": "forgetProblem"
        }
      }
    },
    "exporting": {
      "invoke": {
        "id": "exportData",
        "src": "exportData",
        "onDone": {
          "target": "kept",
          "actions": {
            "type": "saveFile"
          }
        },
        "onError": {
          "target": "kept",
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
      "on": {
        "deletion.cancel": {
          "target": "kept",
          "actions": "forgetProblem"
        },
        "deletion.confirm": [
          {
            "guard": {
              "type": "isOtherEmail"
            },
            "actions": "storeUnconfirmed"
          },
          {
            "target": "deleting",
            "actions": "forgetProblem"
          }
        ]
      }
    },
    "deleting": {
      "invoke": {
        "id": "deleteAccount",
        "src": "deleteAccount",
        "onDone": [
          {
            "guard": {
              "type": "isRefused"
            },
            "target": "awaitingConfirmation",
            "actions": {
              "type": "storeRefusal"
            }
          },
          {
            "target": "deleted"
          }
        ],
        "onError": {
          "target": "awaitingConfirmation",
          "actions": [
            {
              "type": "storeProblem"
            },
            {
              "type": "reportFailure"
            },
            "checkSession"
          ]
        }
      }
    },
    "deleted": {
      "entry": "endSession",
      "type": "final"
    }
  }
});
