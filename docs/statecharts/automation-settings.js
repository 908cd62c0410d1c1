import { createMachine } from "xstate";

// Generated from src/machines/automation-settings/automation-settings.machine.ts by `npm run statecharts`: import it into Stately's editor or visualizer.
export const automationSettings = createMachine({
  "id": "automationSettings",
  "invoke": {
    "id": "watchReturns",
    "src": "watchReturns"
  },
  "initial": "loading",
  "states": {
    "loading": {
      "tags": [
        "loading"
      ],
      "invoke": {
        "id": "fetchSettings",
        "src": "fetchSettings",
        "onDone": {
          "target": "editable",
          "actions": {
            "type": "storeSettings"
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
    "editable": {
      "initial": "current",
      "on": {
        "reading.refresh": ".refreshing",
        "settings.change": {
          "actions": {
            "type": "storeEdit"
          }
        },
        "settings.save": {
          "guard": "areHoursValid",
          "target": "saving"
        }
      },
      "states": {
        "current": {},
        "refreshing": {
          "tags": [
            "refreshing"
          ],
          "invoke": {
            "id": "fetchSettings",
            "src": "fetchSettings",
            "onDone": {
              "target": "current",
              "actions": {
                "type": "storeSettings"
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
    },
    "saving": {
      "entry": "forgetProblem",
      "invoke": {
        "id": "saveSettings",
        "src": "saveSettings",
        "onDone": {
          "target": "editable",
          "actions": [
            "keepSaved",
            "announceSaved"
          ]
        },
        "onError": {
          "target": "editable.refreshing",
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
    }
  }
});
