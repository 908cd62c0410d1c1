import { createMachine } from "xstate";

// Generated from src/machines/stages/stages.machine.ts by `npm run statecharts`: import it into Stately's editor or visualizer.
export const stages = createMachine({
  "id": "stages",
  "invoke": [
    {
      "id": "watchReturns",
      "src": "watchReturns"
    },
    {
      "id": "watchRestored",
      "src": "watchRestored"
    }
  ],
  "initial": "loading",
  "states": {
    "loading": {
      "tags": [
        "loading"
      ],
      "invoke": {
        "id": "fetchStages",
        "src": "fetchStages",
        "onDone": {
          "target": "ready",
          "actions": {
            "type": "storeStages"
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
    "ready": {
      "initial": "current",
      "on": {
        "reading.refresh": ".refreshing",
        "edits.restore": {
          "actions": {
            "type": "restoreEdits"
          }
        },
        "row.change": {
          "guard": {
            "type": "isListed"
          },
          "actions": {
            "type": "storeEdit"
          }
        },
        "row.add": {
          "actions": "addRow"
        },
        "row.move": {
          "guard": {
            "type": "hasNeighbour"
          },
          "actions": {
            "type": "moveRow"
          }
        },
        "row.delete": {
          "guard": {
            "type": "isListed"
          },
          "target": "confirmingDelete",
          "actions": {
            "type": "storeDeletion"
          }
        },
        "stages.save": [
          {
            "guard": "hasProblem",
            "target": "alerting",
            "actions": "storeProblem"
          },
          {
            "guard": "hasRowsToSave",
            "target": "saving",
            "actions": "forgetRefusal"
          },
          {
            "target": "announcing"
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
            "id": "fetchStages",
            "src": "fetchStages",
            "onDone": {
              "target": "current",
              "actions": {
                "type": "mergeStages"
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
      "invoke": {
        "id": "saveStages",
        "src": "saveStages",
        "onDone": [
          {
            "guard": {
              "type": "hasFailure"
            },
            "target": "alertingFailure",
            "actions": [
              {
                "type": "markSaved"
              },
              {
                "type": "storeSaveFailure"
              },
              {
                "type": "reportFailure"
              }
            ]
          },
          {
            "target": "announcing",
            "actions": {
              "type": "markSaved"
            }
          }
        ],
        "onError": {
          "target": "alertingFailure",
          "actions": [
            {
              "type": "storeSaveFailure"
            },
            {
              "type": "reportFailure"
            }
          ]
        }
      }
    },
    "announcing": {
      "invoke": {
        "id": "showAlert",
        "src": "showAlert",
        "onDone": "loading",
        "onError": "loading"
      }
    },
    "confirmingDelete": {
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
            "target": "ready"
          }
        ],
        "onError": "ready"
      }
    },
    "deleting": {
      "invoke": {
        "id": "deleteStage",
        "src": "deleteStage",
        "onDone": "renumbering",
        "onError": {
          "target": "alertingFailure",
          "actions": [
            {
              "type": "storeDeleteFailure"
            },
            {
              "type": "reportFailure"
            }
          ]
        }
      }
    },
    "renumbering": {
      "invoke": {
        "id": "renumberStages",
        "src": "renumberStages",
        "onDone": {
          "target": "ready",
          "actions": {
            "type": "storeRenumbered"
          }
        },
        "onError": {
          "target": "ready",
          "actions": [
            "dropDeleted",
            {
              "type": "reportFailure"
            }
          ]
        }
      }
    },
    "alerting": {
      "invoke": {
        "id": "showAlert",
        "src": "showAlert",
        "onDone": "ready",
        "onError": "ready"
      }
    },
    "alertingFailure": {
      "invoke": {
        "id": "showAlert",
        "src": "showAlert",
        "onDone": "ready.refreshing",
        "onError": "ready.refreshing"
      }
    }
  }
});
