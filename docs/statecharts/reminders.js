import { createMachine } from "xstate";

// Generated from src/machines/reminders/reminders.machine.ts by `npm run statecharts`: import it into Stately's editor or visualizer.
export const reminders = createMachine({
  "id": "reminders",
  "type": "parallel",
  "invoke": [
    {
      "id": "watchRestored",
      "src": "watchRestored"
    },
    {
      "id": "watchReturns",
      "src": "watchReturns"
    }
  ],
  "states": {
    "list": {
      "initial": "loading",
      "states": {
        "loading": {
          "tags": [
            "loading"
          ],
          "invoke": {
            "id": "fetchReminders",
            "src": "fetchReminders",
            "onDone": {
              "target": "shown",
              "actions": {
                "type": "storeReminders"
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
                "id": "fetchReminders",
                "src": "fetchReminders",
                "onDone": {
                  "target": "current",
                  "actions": {
                    "type": "storeReminders"
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
    "rule": {
      "initial": "resting",
      "states": {
        "resting": {
          "entry": "forgetActive",
          "on": {
            "reminder.toggle": {
              "guard": {
                "type": "isListed"
              },
              "target": "toggling",
              "actions": {
                "type": "storeActive"
              }
            },
            "reminder.delete": {
              "guard": {
                "type": "isListed"
              },
              "target": "deleting",
              "actions": {
                "type": "storeActive"
              }
            }
          }
        },
        "toggling": {
          "invoke": {
            "id": "toggleReminder",
            "src": "toggleReminder",
            "onDone": {
              "target": "resting",
              "actions": [
                "toggleActive",
                "refreshList"
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
                "refreshList"
              ]
            }
          }
        },
        "deleting": {
          "invoke": {
            "id": "deleteReminder",
            "src": "deleteReminder",
            "onDone": {
              "target": "resting",
              "actions": "dropActive"
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
                "refreshList"
              ]
            }
          }
        }
      }
    },
    "suggestions": {
      "initial": "loading",
      "states": {
        "loading": {
          "tags": [
            "loading"
          ],
          "invoke": {
            "id": "fetchStageNames",
            "src": "fetchStageNames",
            "onDone": {
              "target": "known",
              "actions": {
                "type": "storeStageNames"
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
        "known": {}
      }
    },
    "form": {
      "initial": "awaitingRule",
      "states": {
        "awaitingRule": {
          "on": {
            "form.change": {
              "actions": {
                "type": "storeForm"
              }
            },
            "form.submit": "adding"
          }
        },
        "adding": {
          "invoke": {
            "id": "addReminder",
            "src": "addReminder",
            "onDone": {
              "target": "awaitingRule",
              "actions": [
                "resetForm",
                "refreshList"
              ]
            },
            "onError": {
              "target": "alerting",
              "actions": [
                {
                  "type": "storeRefusal"
                },
                {
                  "type": "reportFailure"
                },
                "refreshList"
              ]
            }
          }
        },
        "alerting": {
          "invoke": {
            "id": "showAlert",
            "src": "showAlert",
            "onDone": "awaitingRule",
            "onError": "awaitingRule"
          }
        }
      }
    }
  }
});
