import { createMachine } from "xstate";

// Generated from src/machines/contacts/contacts.machine.ts by `npm run statecharts`: import it into Stately's editor or visualizer.
export const contacts = createMachine({
  "id": "contacts",
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
        "id": "readContacts",
        "src": "readContacts",
        "onDone": {
          "target": "known",
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
    "known": {
      "initial": "current",
      "on": {
        "reading.refresh": ".refreshing",
        "contacts.switch": [
          {
            "guard": "areLeftOut",
            "target": "saving"
          },
          {
            "target": "awaitingConfirmation"
          }
        ]
      },
      "states": {
        "current": {},
        "refreshing": {
          "tags": [
            "refreshing"
          ],
          "invoke": {
            "id": "readContacts",
            "src": "readContacts",
            "onDone": {
              "target": "current",
              "actions": {
                "type": "store"
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
    "awaitingConfirmation": {
      "invoke": {
        "id": "askConfirmation",
        "src": "askConfirmation",
        "onDone": [
          {
            "guard": {
              "type": "isConfirmed"
            },
            "target": "saving"
          },
          {
            "target": "known"
          }
        ],
        "onError": "known"
      }
    },
    "saving": {
      "invoke": {
        "id": "saveContacts",
        "src": "saveContacts",
        "onDone": {
          "target": "known",
          "actions": [
            {
              "type": "store"
            },
            {
              "type": "announce"
            }
          ]
        },
        "onError": {
          "target": "known.refreshing",
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
