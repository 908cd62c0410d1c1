import { createMachine } from "xstate";

// Generated from src/machines/story/story.machine.ts by `npm run statecharts`: import it into Stately's editor or visualizer.
export const story = createMachine({
  "id": "story",
  "invoke": {
    "id": "watchStory",
    "src": "watchStory"
  },
  "on": {
    "story.changed": {
      "actions": "refresh"
    }
  },
  "type": "parallel",
  "states": {
    "newest": {
      "initial": "loading",
      "states": {
        "loading": {
          "tags": [
            "loading"
          ],
          "invoke": {
            "id": "fetchNewest",
            "src": "fetchNewest",
            "onDone": {
              "target": "shown",
              "actions": {
                "type": "storeNewest"
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
                "id": "fetchNewest",
                "src": "fetchNewest",
                "onDone": {
                  "target": "current",
                  "actions": {
                    "type": "storeNewest"
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
    "older": {
      "initial": "resting",
      "states": {
        "resting": {
          "on": {
            "older.load": {
              "guard": "hasOlder",
              "target": "loading"
            }
          }
        },
        "loading": {
          "invoke": {
            "id": "fetchOlder",
            "src": "fetchOlder",
            "onDone": {
              "target": "resting",
              "actions": {
                "type": "storeOlder"
              }
            },
            "onError": {
              "target": "failed",
              "actions": {
                "type": "reportFailure"
              }
            }
          }
        },
        "failed": {
          "on": {
            "older.load": {
              "guard": "hasOlder",
              "target": "loading"
            }
          }
        }
      }
    }
  }
});
