import { createMachine } from "xstate";

// Generated from src/machines/new-password/new-password.machine.ts by `npm run statecharts`: import it into Stately's editor or visualizer.
export const newPassword = createMachine({
  "id": "newPassword",
  "initial": "awaitingPassword",
  "states": {
    "awaitingPassword": {
      "on": {
        "password.submit": [
          {
            "guard": {
              "type": "hasTwoPasswords"
            },
            "actions": {
              "type": "storeProblem"
            }
          },
          {
            "target": "saving",
            "actions": "forgetProblem"
          }
        ]
      }
    },
    "saving": {
      "tags": "busy",
      "invoke": {
        "id": "savePassword",
        "src": "savePassword",
        "onDone": [
          {
            "guard": {
              "type": "isRefused"
            },
            "target": "awaitingPassword",
            "actions": {
              "type": "storeRefusal"
            }
          },
          {
            "target": "saved"
          }
        ],
        "onError": {
          "target": "awaitingPassword",
          "actions": {
            "type": "storeProblem"
          }
        }
      }
    },
    "saved": {
      "type": "final"
    }
  }
});
