import { createMachine } from "xstate";

// Generated from src/machines/login/login.machine.ts by `npm run statecharts`: import it into Stately's editor or visualizer.
export const login = createMachine({
  "id": "login",
  "initial": "awaitingCredentials",
  "states": {
    "awaitingCredentials": {
      "entry": "forgetProblem",
      "on": {
        "credentials.submit": "signingIn"
      }
    },
    "signingIn": {
      "tags": "busy",
      "invoke": {
        "id": "signIn",
        "src": "signIn",
        "onDone": [
          {
            "guard": {
              "type": "isRefused"
            },
            "target": "showingProblem",
            "actions": {
              "type": "storeRefusal"
            }
          },
          {
            "target": "signedIn"
          }
        ],
        "onError": {
          "target": "showingProblem",
          "actions": {
            "type": "storeProblem"
          }
        }
      }
    },
    "showingProblem": {
      "invoke": {
        "id": "showAlert",
        "src": "showAlert",
        "onDone": "awaitingCredentials",
        "onError": "awaitingCredentials"
      }
    },
    "signedIn": {
      "type": "final"
    }
  }
});
