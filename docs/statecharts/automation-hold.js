import { createMachine } from "xstate";

// Generated from src/machines/automation-hold/automation-hold.machine.ts by `npm run statecharts`: import it into Stately's editor or visualizer.
export const automationHold = createMachine({
  "id": "automationHold",
  "invoke": {
    "id": "watchLead",
    "src": "watchLead"
  },
  "type": "parallel",
  "states": {
    "state": {
      "initial": "loading",
      "states": {
        "loading": {
          "tags": [
            "loading"
          ],
          "invoke": {
            "id": "readAutomation",
            "src": "readAutomation",
            "onDone": {
              "target": "shown",
              "actions": {
                "type": "storeAutomation"
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
                "id": "readAutomation",
                "src": "readAutomation",
                "onDone": {
                  "target": "current",
                  "actions": {
                    "type": "storeAutomation"
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
    "reason": {
      "initial": "unasked",
      "states": {
        "unasked": {
          "on": {
            "reason.ask": {
              "guard": "isKnown",
              "target": "asked",
              "actions": "refresh"
            }
          }
        },
        "asked": {
          "on": {
            "reason.ask": {
              "actions": "refresh"
            }
          }
        }
      }
    },
    "work": {
      "initial": "resting",
      "states": {
        "resting": {
          "on": {
            "step.skip": {
              "guard": "hasStep",
              "target": "skipping"
            },
            "hold.choose": {
              "guard": "canHold",
              "target": "choosing",
              "actions": "startHold"
            },
            "automation.resume": {
              "guard": "canResume",
              "target": "resuming"
            }
          }
        },
        "choosing": {
          "always": {
            "guard": "cannotHold",
            "target": "resting"
          },
          "on": {
            "hold.change": {
              "actions": {
                "type": "storeHold"
              }
            },
            "hold.cancel": "resting",
            "hold.submit": {
              "guard": "isWhole",
              "target": "holding"
            }
          }
        },
        "skipping": {
          "invoke": {
            "id": "skipStep",
            "src": "skipStep",
            "onDone": {
              "target": "resting",
              "actions": {
                "type": "storeSteered"
              }
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
        },
        "holding": {
          "invoke": {
            "id": "hold",
            "src": "hold",
            "onDone": {
              "target": "resting",
              "actions": {
                "type": "storeSteered"
              }
            },
            "onError": {
              "target": "choosing",
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
        "resuming": {
          "invoke": {
            "id": "resume",
            "src": "resume",
            "onDone": {
              "target": "resting",
              "actions": {
                "type": "storeSteered"
              }
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
