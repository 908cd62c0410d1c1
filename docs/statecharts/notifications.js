import { createMachine } from "xstate";

// Generated from src/machines/notifications/notifications.machine.ts by `npm run statecharts`: import it into Stately's editor or visualizer.
export const notifications = createMachine({
  "id": "notifications",
  "type": "parallel",
  "states": {
    "toast": {
      "initial": "hidden",
      "on": {
        "toast.show": {
          "target": ".visible",
          "actions": {
            "type": "storeToast"
          }
        }
      },
      "states": {
        "hidden": {
          "entry": "forgetToast"
        },
        "visible": {
          "on": {
            "toast.dismiss": "hidden"
          },
          "after": {
            "toastDuration": "hidden"
          }
        }
      }
    },
    "offer": {
      "initial": "hidden",
      "on": {
        "offer.show": {
          "target": ".open",
          "actions": {
            "type": "storeOffer"
          }
        }
      },
      "states": {
        "hidden": {
          "entry": "forgetOffer"
        },
        "open": {
          "on": {
            "offer.dismiss": "hidden",
            "offer.accept": {
              "target": "hidden",
              "actions": {
                "type": "takeOffer"
              }
            }
          },
          "initial": "running",
          "states": {
            "running": {
              "on": {
                "offer.hold": "held"
              },
              "after": {
                "offerDuration": "#notifications.offer.hidden"
              }
            },
            "held": {
              "on": {
                "offer.release": "running"
              }
            }
          }
        }
      }
    },
    "warning": {
      "initial": "hidden",
      "on": {
        "warning.show": {
          "target": ".visible",
          "actions": {
            "type": "storeWarning"
          }
        }
      },
      "states": {
        "hidden": {
          "entry": "forgetWarning"
        },
        "visible": {
          "on": {
            "warning.dismiss": "hidden"
          },
          "after": {
            "warningDuration": "hidden"
          }
        }
      }
    },
    "question": {
      "initial": "absent",
      "on": {
        "question.ask": {
          "actions": {
            "type": "enqueueQuestion"
          }
        },
        "question.withdraw": {
          "actions": {
            "type": "dropQuestion"
          }
        }
      },
      "states": {
        "absent": {
          "always": {
            "guard": "hasQuestion",
            "target": "awaitingAnswer"
          }
        },
        "awaitingAnswer": {
          "always": {
            "guard": "hasNoQuestion",
            "target": "absent"
          },
          "on": {
            "question.answer": {
              "guard": {
                "type": "isPossibleAnswer"
              },
              "target": "absent",
              "actions": [
                {
                  "type": "deliverAnswer"
                },
                "dequeueQuestion"
              ]
            }
          }
        }
      }
    }
  }
});
