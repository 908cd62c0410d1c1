import { createMachine } from "xstate";

// Generated from src/machines/dry-run/dry-run.machine.ts by `npm run statecharts`: import it into Stately's editor or visualizer.
export const dryRun = createMachine({
  "id": "dryRun",
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
        "id": "readDryRun",
        "src": "readDryRun",
        "onDone": {
          "target": "known",
          "actions": {
            "type": "storeDryRun"
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
        "reading.retry": "loading",
        "reading.refresh": "loading"
      }
    },
    "known": {
      "always": [
        {
          "guard": "isUnknown",
          "target": "absent"
        },
        {
          "guard": "isOn",
          "target": "on"
        },
        {
          "target": "off"
        }
      ]
    },
    "absent": {},
    "off": {
      "on": {
        "dryRun.start": "starting",
        "reading.refresh": "checking"
      }
    },
    "on": {
      "on": {
        "dryRun.leave": "reviewing",
        "reading.refresh": "checking"
      }
    },
    "checking": {
      "tags": [
        "refreshing"
      ],
      "on": {
        "dryRun.start": {
          "guard": "isOff",
          "target": "starting"
        },
        "dryRun.leave": {
          "guard": "isOn",
          "target": "reviewing"
        }
      },
      "invoke": {
        "id": "checkDryRun",
        "src": "readDryRun",
        "onDone": {
          "target": "known",
          "actions": {
            "type": "storeDryRun"
          }
        },
        "onError": {
          "target": "known",
          "actions": {
            "type": "reportFailure"
          }
        }
      }
    },
    "starting": {
      "entry": "forgetProblem",
      "invoke": {
        "id": "startDryRun",
        "src": "startDryRun",
        "onDone": {
          "target": "known",
          "actions": {
            "type": "storeDryRun"
          }
        },
        "onError": {
          "target": "checking",
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
    "reviewing": {
      "entry": "forgetProblem",
      "on": {
        "dryRun.stay": "on"
      },
      "invoke": {
        "id": "listHeldBack",
        "src": "listHeldBack",
        "onDone": {
          "target": "reviewed",
          "actions": {
            "type": "storeHeldBack"
          }
        },
        "onError": {
          "target": "unreviewed",
          "actions": {
            "type": "reportFailure"
          }
        }
      }
    },
    "reviewed": {
      "on": {
        "dryRun.stay": "on",
        "dryRun.end": "ending"
      }
    },
    "unreviewed": {
      "tags": [
        "unread"
      ],
      "on": {
        "reading.retry": "reviewing",
        "dryRun.stay": "on",
        "dryRun.end": "ending"
      }
    },
    "ending": {
      "entry": "forgetProblem",
      "invoke": {
        "id": "endDryRun",
        "src": "endDryRun",
        "onDone": {
          "target": "known",
          "actions": [
            {
              "type": "storeDryRun"
            },
            "announceEnd"
          ]
        },
        "onError": {
          "target": "checking",
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
