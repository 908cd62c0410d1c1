import { createMachine } from "xstate";

// Generated from src/machines/lead-panel/lead-panel.machine.ts by `npm run statecharts`: import it into Stately's editor or visualizer.
export const leadPanel = createMachine({
  "id": "leadPanel",
  "invoke": {
    "id": "watchLead",
    "src": "watchLead"
  },
  "on": {
    "lead.changed": {
      "actions": "refresh"
    },
    "list.reload": {
      "actions": "refresh"
    }
  },
  "always": {
    "guard": "hasNewer",
    "actions": "tellRow"
  },
  "initial": "loading",
  "states": {
    "loading": {
      "tags": [
        "loading"
      ],
      "invoke": {
        "id": "fetchPanel",
        "src": "fetchPanel",
        "onDone": {
          "target": "shown",
          "actions": {
            "type": "storePanel"
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
            "id": "fetchPanel",
            "src": "fetchPanel",
            "onDone": {
              "target": "current",
              "actions": {
                "type": "storePanel"
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
