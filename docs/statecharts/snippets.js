import { createMachine } from "xstate";

// Generated from src/machines/snippets/snippets.machine.ts by `npm run statecharts`: import it into Stately's editor or visualizer.
export const snippets = createMachine({
  "id": "snippets",
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
            "id": "fetchSnippets",
            "src": "fetchSnippets",
            "onDone": {
              "target": "shown",
              "actions": {
                "type": "storeSnippets"
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
                "id": "fetchSnippets",
                "src": "fetchSnippets",
                "onDone": {
                  "target": "current",
                  "actions": {
                    "type": "storeSnippets"
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
            "snippet.add": {
              "target": "editing",
              "actions": "startNew"
            },
            "snippet.edit": {
              "guard": {
                "type": "isListed"
              },
              "target": "editing",
              "actions": {
                "type": "startEdit"
              }
            },
            "snippet.delete": {
              "guard": {
                "type": "isListed"
              },
              "target": "awaitingConfirmation",
              "actions": {
                "type": "choose"
              }
            }
          }
        },
        "editing": {
          "on": {
            "form.change": {
              "actions": {
                "type": "storeForm"
              }
            },
            "form.cancel": {
              "target": "resting",
              "actions": "forgetProblem"
            },
            "form.submit": [
              {
                "guard": "canSave",
                "target": "saving"
              },
              {
                "guard": "isFit",
                "actions": "markMissing"
              }
            ]
          }
        },
        "saving": {
          "invoke": {
            "id": "saveSnippet",
            "src": "saveSnippet",
            "onDone": {
              "target": "resting",
              "actions": [
                "forgetProblem",
                "refresh"
              ]
            },
            "onError": {
              "target": "editing",
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
                "target": "deleting"
              },
              {
                "target": "resting"
              }
            ],
            "onError": "resting"
          }
        },
        "deleting": {
          "invoke": {
            "id": "removeSnippet",
            "src": "removeSnippet",
            "onDone": {
              "target": "resting",
              "actions": [
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
