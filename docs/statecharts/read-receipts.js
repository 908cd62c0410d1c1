import { createMachine } from "xstate";

// Generated from src/machines/read-receipts/read-receipts.machine.ts by `npm run statecharts`: import it into Stately's editor or visualizer.
export const readReceipts = createMachine({
  "id": "readReceipts",
  "initial": "loading",
  "states": {
    "loading": {
      "tags": [
        "loading"
      ],
      "invoke": {
        "id": "readReceipts",
        "src": "readReceipts",
        "onDone": {
          "target": "resting",
          "actions": {
            "type": "store"
          }
        },
        "onError": {
          "target": "unread",
          "actions": {
            "type": "reportFailure"
          }
        }
      }
    },
    "unread": {
      "tags": [
        "unread"
      ],
      "on": {
        "reading.retry": "loading"
      }
    },
    "resting": {
      "on": {
        "receipts.switch": "saving"
      }
    },
    "saving": {
      "invoke": {
        "id": "saveReceipts",
        "src": "saveReceipts",
        "onDone": {
          "target": "resting",
          "actions": {
            "type": "store"
          }
        },
        "onError": [
          {
            "guard": {
              "type": "isUnanswered"
            },
            "target": "loading",
            "actions": [
              {
                "type": "storeProblem"
              },
              {
                "type": "reportFailure"
              }
            ]
          },
          {
            "target": "resting",
            "actions": [
              {
                "type": "storeProblem"
              },
              {
                "type": "reportFailure"
              }
            ]
          }
        ]
      }
    }
  }
});
