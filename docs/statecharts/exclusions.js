import { createMachine } from "xstate";

// Generated from src/machines/exclusions/exclusions.machine.ts by `npm run statecharts`: import it into Stately's editor or visualizer.
export const exclusions = createMachine({
  "id": "exclusions",
  "invoke": {
    "id": "watchExclusions",
    "src": "watchExclusions"
  },
  "type": "parallel",
  "states": {
    "list": {
      "initial": "loading",
      "states": {
        "loading": {
          "tags": [
            "loading"
          ],
          "invoke": {
            "id": "listExclusions",
            "src": "listExclusions",
            "onDone": {
              "target": "shown",
              "actions": {
                "type": "storePeople"
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
                "id": "listExclusions",
                "src": "listExclusions",
                "onDone": {
                  "target": "current",
                  "actions": {
                    "type": "storePeople"
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
    },
    "work": {
      "initial": "resting",
      "states": {
        "resting": {
          "entry": "letGo",
          "on": {
            "person.restore": {
              "guard": {
                "type": "isListed"
              },
              "target": "restoring",
              "actions": {
                "type": "choose"
              }
            }
          }
        },
        "restoring": {
          "invoke": {
            "id": "restorePerson",
            "src": "restorePerson",
            "onDone": {
              "target": "resting",
              "actions": [
                {
                  "type": "tell"
                },
                "dropActive",
                "refresh"
              ]
            },
            "onError": {
              "target": "resting",
              "actions": [
                {
                  "type": "storeProblem"
                },
                {
                  "type": "reportFailure"
                },
                "refresh"
              ]
            }
          }
        }
      }
    }
  }
});
