import { createMachine } from "xstate";

// Generated from src/machines/followups/followups.machine.ts by `npm run statecharts`: import it into Stately's editor or visualizer.
export const followups = createMachine({
  "id": "followups",
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
      "on": {
        "followup.change": {
          "guard": {
            "type": "isListed"
          },
          "actions": {
            "type": "storeEdit"
          }
        },
        "followup.restored": {
          "actions": {
            "type": "insertRow"
          }
        }
      },
      "states": {
        "loading": {
          "tags": [
            "loading"
          ],
          "invoke": {
            "id": "fetchBoard",
            "src": "fetchBoard",
            "onDone": {
              "target": "ready",
              "actions": {
                "type": "storeBoard"
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
            "followup.restored": {
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
            "reading.retry": "loading"
          }
        },
        "ready": {
          "initial": "current",
          "on": {
            "reading.refresh": ".refreshing",
            "edits.restore": {
              "actions": {
                "type": "restoreEdits"
              }
            },
            "group.save": {
              "guard": {
                "type": "canSaveGroup"
              },
              "target": "saving",
              "actions": {
                "type": "storeChanges"
              }
            },
            "followup.delete": {
              "guard": {
                "type": "isListed"
              },
              "target": "deleting",
              "actions": {
                "type": "storeDeletion"
              }
            }
          },
          "states": {
            "current": {},
            "refreshing": {
              "tags": [
                "refreshing"
              ],
              "invoke": {
                "id": "fetchBoard",
                "src": "fetchBoard",
                "onDone": {
                  "target": "current",
                  "actions": {
                    "type": "storeBoard"
                  }
                },
                "onError": {
                  "target": "outdated",
                  "actions": {
                    "type": "reportFailure"
                  }
                }
              },
              "on": {
                "followup.restored": {
                  "target": "refreshing",
                  "reenter": true,
                  "actions": {
                    "type": "insertRow"
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
          "invoke": {
            "id": "saveChanges",
            "src": "saveChanges",
            "onDone": [
              {
                "guard": {
                  "type": "hasFailure"
                },
                "target": "ready",
                "actions": [
                  {
                    "type": "markSaved"
                  },
                  {
                    "type": "refuseChanges"
                  },
                  {
                    "type": "reportFailure"
                  },
                  "refresh"
                ]
              },
              {
                "target": "ready",
                "actions": [
                  "announceGroup",
                  {
                    "type": "markSaved"
                  },
                  {
                    "type": "showToast"
                  }
                ]
              }
            ],
            "onError": {
              "target": "ready",
              "actions": [
                {
                  "type": "refuseChanges"
                },
                {
                  "type": "reportFailure"
                },
                "refresh"
              ]
            }
          }
        },
        "deleting": {
          "invoke": {
            "id": "deleteFollowup",
            "src": "deleteFollowup",
            "onDone": {
              "target": "ready",
              "actions": "dropRow"
            },
            "onError": {
              "target": "ready",
              "actions": [
                {
                  "type": "refuseDeletion"
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
    },
    "form": {
      "initial": "awaitingFollowup",
      "states": {
        "awaitingFollowup": {
          "on": {
            "form.change": {
              "actions": {
                "type": "storeForm"
              }
            },
            "media.choose": [
              {
                "guard": {
                  "type": "isTooLarge"
                },
                "target": "refusingMedia",
                "actions": {
                  "type": "storeMedia"
                }
              },
              {
                "actions": {
                  "type": "storeMedia"
                }
              }
            ],
            "form.submit": [
              {
                "guard": "isFormIncomplete",
                "target": "alerting",
                "actions": [
                  {
                    "type": "storeAlert"
                  },
                  "markMissing"
                ]
              },
              {
                "guard": "isOrderTaken",
                "target": "alerting",
                "actions": [
                  {
                    "type": "storeAlert"
                  },
                  "markOrder"
                ]
              },
              {
                "guard": "canAdd",
                "target": "adding"
              }
            ]
          }
        },
        "alerting": {
          "invoke": {
            "id": "showAlert",
            "src": "showAlert",
            "onDone": "awaitingFollowup",
            "onError": "awaitingFollowup"
          }
        },
        "refusingMedia": {
          "invoke": {
            "id": "showAlert",
            "src": "showAlert",
            "onDone": "awaitingFollowup",
            "onError": "awaitingFollowup"
          },
          "exit": {
            "type": "storeForm"
          }
        },
        "adding": {
          "invoke": {
            "id": "addFollowup",
            "src": "addFollowup",
            "onDone": {
              "target": "awaitingFollowup",
              "actions": [
                {
                  "type": "appendRow"
                },
                {
                  "type": "showToast"
                }
              ]
            },
            "onError": {
              "target": "awaitingFollowup",
              "actions": [
                {
                  "type": "refuseForm"
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
