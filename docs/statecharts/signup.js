import { createMachine } from "xstate";

// Generated from src/machines/signup/signup.machine.ts by `npm run statecharts`: import it into Stately's editor or visualizer.
export const signup = createMachine({
  "id": "signup",
  "initial": "awaitingDetails",
  "states": {
    "awaitingDetails": {
      "on": {
        "details.submit": [
          {
            "guard": {
              "type": "hasTwoPasswords"
            },
            "actions": {
              "type": "storeProblem"
            }
          },
          {
            "target": "signingUp",
            "actions": {
              "type": "storeDetails"
            }
          }
        ]
      }
    },
    "signingUp": {
      "tags": "busy",
      "invoke": {
        "id": "signUp",
        "src": "signUp",
        "onDone": [
          {
            "guard": {
              "type": "isRefused"
            },
            "target": "awaitingDetails",
            "actions": {
              "type": "storeRefusal"
            }
          },
          {
            "guard": {
              "type": "hasNoUser"
            },
            "target": "announcing",
            "actions": {
              "type": "storeNews"
            }
          },
          {
            "target": "savingProfile",
            "actions": {
              "type": "storeUserId"
            }
          }
        ],
        "onError": {
          "target": "awaitingDetails",
          "actions": {
            "type": "storeProblem"
          }
        }
      }
    },
    "savingProfile": {
      "tags": "busy",
      "invoke": {
        "id": "insertProfile",
        "src": "insertProfile",
        "onDone": {
          "target": "announcing",
          "actions": {
            "type": "storeNews"
          }
        },
        "onError": {
          "target": "announcing",
          "actions": [
            {
              "type": "storeNews"
            },
            {
              "type": "reportFailure"
            }
          ]
        }
      }
    },
    "announcing": {
      "tags": "busy",
      "invoke": {
        "id": "showAlert",
        "src": "showAlert",
        "onDone": {
          "target": "awaitingDetails",
          "actions": [
            "forgetDetails",
            "openLogin"
          ]
        },
        "onError": {
          "target": "awaitingDetails",
          "actions": [
            "forgetDetails",
            "openLogin"
          ]
        }
      }
    }
  }
});
