import { createMachine } from "xstate";

// Generated from src/machines/lead-import/lead-import.machine.ts by `npm run statecharts`: import it into Stately's editor or visualizer.
export const leadImport = createMachine({
  "id": "leadImport",
  "initial": "awaitingFile",
  "states": {
    "awaitingFile": {
      "on": {
        "file.choose": [
          {
            "guard": {
              "type": "hasFile"
            },
            "target": "#leadImport.readingHead",
            "actions": {
              "type": "storeFile"
            }
          },
          {
            "target": "#leadImport.awaitingFile",
            "actions": {
              "type": "storeFile"
            }
          }
        ]
      }
    },
    "readingHead": {
      "invoke": {
        "id": "readHead",
        "src": "readHead",
        "onDone": {
          "target": "awaitingMapping",
          "actions": {
            "type": "storePreview"
          }
        },
        "onError": {
          "target": "awaitingFile",
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
    },
    "awaitingMapping": {
      "on": {
        "file.choose": [
          {
            "guard": {
              "type": "hasFile"
            },
            "target": "#leadImport.readingHead",
            "actions": {
              "type": "storeFile"
            }
          },
          {
            "target": "#leadImport.awaitingFile",
            "actions": {
              "type": "storeFile"
            }
          }
        ],
        "mapping.change": {
          "actions": {
            "type": "storeTarget"
          }
        },
        "import.try": {
          "guard": "canFind",
          "target": "trying"
        }
      }
    },
    "trying": {
      "invoke": {
        "id": "tryImport",
        "src": "tryImport",
        "onDone": {
          "target": "tried",
          "actions": {
            "type": "storeResult"
          }
        },
        "onError": {
          "target": "awaitingMapping",
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
    },
    "tried": {
      "on": {
        "file.choose": [
          {
            "guard": {
              "type": "hasFile"
            },
            "target": "#leadImport.readingHead",
            "actions": {
              "type": "storeFile"
            }
          },
          {
            "target": "#leadImport.awaitingFile",
            "actions": {
              "type": "storeFile"
            }
          }
        ],
        "mapping.change": {
          "target": "awaitingMapping",
          "actions": {
            "type": "storeTarget"
          }
        },
        "import.run": {
          "guard": "changesSomething",
          "target": "importing"
        }
      }
    },
    "importing": {
      "invoke": {
        "id": "runImport",
        "src": "runImport",
        "onDone": {
          "target": "imported",
          "actions": [
            {
              "type": "storeResult"
            },
            "tellOthers"
          ]
        },
        "onError": {
          "target": "awaitingMapping",
          "actions": [
            "forgetResult",
            {
              "type": "storeProblem"
            },
            {
              "type": "reportFailure"
            },
            "tellOthers"
          ]
        }
      }
    },
    "imported": {
      "on": {
        "file.choose": [
          {
            "guard": {
              "type": "hasFile"
            },
            "target": "#leadImport.readingHead",
            "actions": {
              "type": "storeFile"
            }
          },
          {
            "target": "#leadImport.awaitingFile",
            "actions": {
              "type": "storeFile"
            }
          }
        ]
      }
    }
  }
});
