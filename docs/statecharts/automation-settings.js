import { createMachine } from "xstate";

// Generated from src/machines/automation-settings/automation-settings.machine.ts by `npm run statecharts`: import it into Stately's editor or visualizer.
export const automationSettings = createMachine({
  "id": "automationSettings",
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
      "on": {
        "settings.change": {
          "actions": {
            "type": "storeEdit"
          }
        },
        "settings.save": {
          "guard": "areHoursValid",
          "target": "saving"
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
          "target": "editable",
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
