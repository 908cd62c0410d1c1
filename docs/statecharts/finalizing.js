import { createMachine } from "xstate";

// Generated from src/machines/finalizing/finalizing.machine.ts by `npm run statecharts`: import it into Stately's editor or visualizer.
export const finalizing = createMachine({
  "id": "finalizing",
  "initial": "working",
  "states": {
    "working": {
      "initial": "arriving",
      "onDone": "finished",
      "after": {
        "patience": "finished"
      },
      "states": {
        "arriving": {
          "always": [
            {
              "guard": "hasNoCheckout",
              "target": "syncing"
            },
            {
              "target": "confirming"
            }
          ]
        },
        "confirming": {
          "invoke": {
            "id": "confirmCheckout",
            "src": "confirmCheckout",
            "onDone": "syncing",
            "onError": {
              "target": "syncing",
              "actions": {
                "type": "reportFailure"
              }
            }
          },
          "after": {
            "confirmLimit": "syncing"
          }
        },
        "syncing": {
          "invoke": {
            "id": "syncSubscription",
            "src": "syncSubscription",
            "onDone": "synced",
            "onError": {
              "target": "synced",
              "actions": {
                "type": "reportFailure"
              }
            }
          },
          "after": {
            "syncLimit": "synced"
          }
        },
        "synced": {
          "type": "final"
        }
      }
    },
    "finished": {
      "entry": "openBilling",
      "type": "final"
    }
  }
});
