import { createMachine } from "xstate";

// Generated from src/machines/lead-row/lead-row.machine.ts by `npm run statecharts`: import it into Stately's editor or visualizer.
export const leadRow = createMachine({
  "id": "leadRow",
  "type": "parallel",
  "on": {
    "lead.refreshed": {
      "actions": {
        "type": "storeNewer"
      }
    }
  },
  "always": {
    "guard": "canAdopt",
    "actions": "adoptNewer"
  },
  "states": {
    "notes": {
      "initial": "saved",
      "states": {
        "saved": {
          "always": {
            "guard": "hasUnsavedNotes",
            "target": "unsaved"
          },
          "on": {
            "notes.change": {
              "target": "edited",
              "actions": [
                {
                  "type": "storeNotes"
                },
                {
                  "type": "keepDraft"
                }
              ]
            }
          }
        },
        "edited": {
          "on": {
            "notes.change": {
              "actions": [
                {
                  "type": "storeNotes"
                },
                {
                  "type": "keepDraft"
                }
              ]
            },
            "notes.leave": [
              {
                "guard": "hasUnsavedNotes",
                "target": "saving"
              },
              {
                "target": "saved",
                "actions": {
                  "type": "forgetDraft"
                }
              }
            ]
          }
        },
        "saving": {
          "entry": "markNotesSent",
          "on": {
            "notes.change": {
              "actions": [
                {
                  "type": "storeNotes"
                },
                {
                  "type": "keepDraft"
                }
              ]
            },
            "notes.leave": {
              "actions": "queueSave"
            }
          },
          "invoke": {
            "id": "saveNotes",
            "src": "saveNotes",
            "onDone": [
              {
                "guard": "hasQueuedNotes",
                "target": "saving",
                "reenter": true,
                "actions": {
                  "type": "storeSavedNotes"
                }
              },
              {
                "guard": "hasNewerNotes",
                "target": "edited",
                "actions": {
                  "type": "storeSavedNotes"
                }
              },
              {
                "target": "saved",
                "actions": {
                  "type": "storeSavedNotes"
                }
              }
            ],
            "onError": {
              "target": "unsaved",
              "actions": [
                {
                  "type": "storeNotesProblem"
                },
                {
                  "type": "reportFailure"
                },
                "rereadLead"
              ]
            }
          }
        },
        "unsaved": {
          "always": {
            "guard": "isSavedAfterAll",
            "target": "saved",
            "actions": [
              {
                "type": "storeSavedNotes"
              },
              {
                "type": "forgetDraft"
              }
            ]
          },
          "on": {
            "notes.change": {
              "target": "edited",
              "actions": [
                {
                  "type": "storeNotes"
                },
                {
                  "type": "keepDraft"
                }
              ]
            },
            "notes.leave": "saving",
            "notes.retry": "saving"
          }
        }
      }
    },
    "stage": {
      "initial": "shown",
      "states": {
        "shown": {
          "entry": "forgetStageProblem",
          "on": {
            "stage.edit": "choosing"
          }
        },
        "choosing": {
          "entry": "startPicking",
          "on": {
            "stage.pick": {
              "actions": {
                "type": "storePick"
              }
            },
            "stage.commit": [
              {
                "guard": {
                  "type": "isOtherStage"
                },
                "target": "changing"
              },
              {
                "target": "shown"
              }
            ],
            "stage.choose": [
              {
                "guard": {
                  "type": "isOtherStage"
                },
                "target": "changing",
                "actions": {
                  "type": "storePick"
                }
              },
              {
                "target": "shown"
              }
            ],
            "stage.cancel": "shown"
          }
        },
        "changing": {
          "invoke": {
            "id": "changeStage",
            "src": "changeStage",
            "onDone": {
              "target": "shown",
              "actions": [
                "storeMove",
                {
                  "type": "offerUndo"
                },
                "reloadList"
              ]
            },
            "onError": {
              "target": "alerting",
              "actions": [
                {
                  "type": "storeStageProblem"
                },
                {
                  "type": "reportFailure"
                },
                "rereadLead"
              ]
            }
          }
        },
        "alerting": {
          "invoke": {
            "id": "showAlert",
            "src": "showAlert",
            "onDone": "choosing",
            "onError": "choosing"
          }
        }
      }
    },
    "followup": {
      "initial": "unsent",
      "states": {
        "unsent": {
          "on": {
            "followup.send": [
              {
                "guard": "isUnwelcome",
                "target": "confirming"
              },
              {
                "guard": "hasStepLeft",
                "target": "sending"
              }
            ]
          }
        },
        "confirming": {
          "invoke": {
            "id": "askConfirmation",
            "src": "askConfirmation",
            "onDone": [
              {
                "guard": {
                  "type": "isConfirmed"
                },
                "target": "sending"
              },
              {
                "target": "unsent"
              }
            ],
            "onError": "unsent"
          }
        },
        "sending": {
          "entry": [
            "forgetRefusal",
            "markSent"
          ],
          "invoke": {
            "id": "sendFollowup",
            "src": "sendFollowup",
            "onDone": [
              {
                "guard": {
                  "type": "isSent"
                },
                "target": "sent",
                "actions": "countStep"
              },
              {
                "target": "refused",
                "actions": [
                  {
                    "type": "storeRefusal"
                  },
                  "rereadLead"
                ]
              }
            ],
            "onError": {
              "target": "unanswered",
              "actions": [
                {
                  "type": "storeUnanswered"
                },
                {
                  "type": "reportFailure"
                },
                "rereadLead"
              ]
            }
          }
        },
        "sent": {
          "on": {
            "followup.send": [
              {
                "guard": "isUnwelcome",
                "target": "confirming"
              },
              {
                "guard": "hasStepLeft",
                "target": "sending"
              }
            ]
          }
        },
        "refused": {
          "on": {
            "followup.send": [
              {
                "guard": "isUnwelcome",
                "target": "confirming"
              },
              {
                "guard": "hasStepLeft",
                "target": "sending"
              }
            ]
          }
        },
        "unanswered": {
          "always": {
            "guard": "isSentAfterAll",
            "target": "sent",
            "actions": "forgetRefusal"
          },
          "on": {
            "followup.send": [
              {
                "guard": "isUnwelcome",
                "target": "confirming"
              },
              {
                "guard": "hasStepLeft",
                "target": "sending"
              }
            ]
          }
        }
      }
    }
  }
});
