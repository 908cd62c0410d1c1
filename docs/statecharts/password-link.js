import { createMachine } from "xstate";

// Generated from src/machines/password-link/password-link.machine.ts by `npm run statecharts`: import it into Stately's editor or visualizer.
export const passwordLink = createMachine({
  "id": "passwordLink",
  "initial": "awaitingEmail",
  "states": {
    "awaitingEmail": {
      "on": {
        "email.submit": {
          "target": "sending",
          "actions": {
            "type": "storeEmail"
          }
        }
      }
    },
    "sending": {
      "tags": "busy",
      "invoke": {
        "id": "requestLink",
        "src": "requestLink",
        "onDone": [
          {
            "guard": {
              "type": "isRefused"
            },
            "target": "awaitingEmail",
            "actions": {
              "type": "storeRefusal"
            }
          },
          {
            "target": "sent"
          }
        ],
        "onError": {
          "target": "awaitingEmail",
          "actions": {
            "type": "storeProblem"
          }
        }
      }
    },
    "sent": {
      "on": {
        "email.change": "awaitingEmail"
      }
    }
  }
});
