import { createMachine } from "xstate";

// Generated from src/machines/billing/billing.machine.ts by `npm run statecharts`: import it into Stately's editor or visualizer.
export const billing = createMachine({
  "id": "billing",
  "type": "parallel",
  "states": {
    "subscription": {
      "initial": "arriving",
      "states": {
        "arriving": {
          "always": [
            {
              "guard": "isBack",
              "target": "syncing"
            },
            {
              "target": "current"
            }
          ]
        },
        "syncing": {
          "invoke": {
            "id": "syncSubscription",
            "src": "syncSubscription",
            "onDone": "current",
            "onError": {
              "target": "current",
              "actions": {
                "type": "reportFailure"
              }
            }
          }
        },
        "current": {}
      }
    },
    "provider": {
      "initial": "closed",
      "states": {
        "closed": {
          "on": {
            "checkout.open": "openingCheckout",
            "portal.open": "openingPortal"
          }
        },
        "openingCheckout": {
          "entry": "forgetProblem",
          "invoke": {
            "id": "openCheckout",
            "src": "openCheckout",
            "onDone": [
              {
                "guard": {
                  "type": "isUnsafe"
                },
                "target": "closed",
                "actions": "storeUnsafe"
              },
              {
                "target": "leaving",
                "actions": {
                  "type": "storeDestination"
                }
              }
            ],
            "onError": {
              "target": "closed",
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
        "openingPortal": {
          "entry": "forgetProblem",
          "invoke": {
            "id": "openPortal",
            "src": "openPortal",
            "onDone": [
              {
                "guard": {
                  "type": "isUnsafe"
                },
                "target": "closed",
                "actions": "storeUnsafe"
              },
              {
                "target": "leaving",
                "actions": {
                  "type": "storeDestination"
                }
              }
            ],
            "onError": {
              "target": "closed",
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
        "leaving": {
          "entry": {
            "type": "openUrl"
          },
          "after": {
            "departure": "closed"
          }
        }
      }
    }
  }
});
