import { createMachine } from "xstate";

// Generated from src/machines/leaving/leaving.machine.ts by `npm run statecharts`: import it into Stately's editor or visualizer.
export const leaving = createMachine({
  "id": "leaving",
  "initial": "free",
  "on": {
    "replies.queued": {
      "actions": "noteWaiting"
    },
    "replies.handedOver": {
      "actions": "noteHandedOver"
    }
  },
  "states": {
    "free": {
      "on": {
        "work.unsaved": {
          "target": "guarding",
          "actions": {
            "type": "storeQuestion"
          }
        },
        "screen.leave": [
          {
            "guard": {
              "type": "losesReplies"
            },
            "target": "awaitingLogOut",
            "actions": {
              "type": "storeDeparture"
            }
          },
          {
            "actions": {
              "type": "depart"
            }
          }
        ]
      }
    },
    "awaitingLogOut": {
      "on": {
        "work.unsaved": {
          "target": "guarding",
          "actions": {
            "type": "storeQuestion"
          }
        }
      },
      "invoke": {
        "id": "askLogOut",
        "src": "askLogOut",
        "onDone": [
          {
            "guard": {
              "type": "isConfirmed"
            },
            "target": "free",
            "actions": {
              "type": "depart"
            }
          },
          {
            "target": "free"
          }
        ],
        "onError": "free"
      }
    },
    "guarding": {
      "on": {
        "work.saved": "free",
        "screen.leave": {
          "target": "awaitingAnswer",
          "actions": {
            "type": "storeDeparture"
          }
        }
      }
    },
    "awaitingAnswer": {
      "on": {
        "work.saved": "free"
      },
      "invoke": {
        "id": "askConfirmation",
        "src": "askConfirmation",
        "onDone": [
          {
            "guard": {
              "type": "isConfirmed"
            },
            "target": "free",
            "actions": [
              "tellDiscarded",
              {
                "type": "depart"
              }
            ]
          },
          {
            "target": "guarding"
          }
        ],
        "onError": "guarding"
      }
    }
  }
});
