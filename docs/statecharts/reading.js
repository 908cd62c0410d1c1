import { createMachine } from "xstate";

// Generated from src/machines/reading/reading.machine.ts by `npm run statecharts`: import it into Stately's editor or visualizer.
export const reading = createMachine({
  "id": "reading",
  "initial": "loading",
  "states": {
    "loading": {
      "tags": [
        "loading"
      ],
      "invoke": {
        "id": "read",
        "src": "read",
        "onDone": {
          "target": "shown",
          "actions": {
            "type": "storeValue"
          }
        },
        "onError": {
          "target": "unread",
          "actions": {
            "type": "reportFailure"
          }
        }
      },
      "on": {
        "reading.refresh": {
          "target": "loading",
          "reenter": true
        }
      }
    },
    "unread": {
      "tags": [
        "unread"
      ],
      "on": {
        "reading.retry": "loading",
        "reading.refresh": "loading"
      }
    },
    "shown": {
      "initial": "current",
      "on": {
        "reading.refresh": ".refreshing"
      },
      "states": {
        "current": {},
        "refreshing": {
          "tags": [
            "refreshing"
          ],
          "invoke": {
            "id": "read",
            "src": "read",
            "onDone": {
              "target": "current",
              "actions": {
                "type": "storeValue"
              }
            },
            "onError": {
              "target": "outdated",
              "actions": {
                "type": "reportFailure"
              }
            }
          }
        },
        "outdated": {
          "tags": [
            "outdated"
          ],
          "on": {
            "reading.retry": "refreshing"
          }
        }
      }
    }
  }
});
