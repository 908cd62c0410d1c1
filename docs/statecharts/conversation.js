import { createMachine } from "xstate";

// Generated from src/machines/conversation/conversation.machine.ts by `npm run statecharts`: import it into Stately's editor or visualizer.
export const conversation = createMachine({
  "id": "conversation",
  "type": "parallel",
  "invoke": {
    "id": "watchConversation",
    "src": "watchConversation"
  },
  "states": {
    "messages": {
      "initial": "loading",
      "on": {
        "message.changed": {
          "actions": {
            "type": "noteMessage"
          }
        },
        "lead.changed": {
          "actions": "noteLead"
        },
        "message.accepted": {
          "actions": {
            "type": "storeAccepted"
          }
        }
      },
      "states": {
        "loading": {
          "tags": "loading",
          "invoke": {
            "id": "openConversation",
            "src": "openConversation",
            "onDone": [
              {
                "guard": {
                  "type": "isMissing"
                },
                "target": "missing"
              },
              {
                "target": "shown",
                "actions": {
                  "type": "storeOpened"
                }
              }
            ],
            "onError": {
              "target": "unread",
              "actions": {
                "type": "reportFailure"
              }
            }
          }
        },
        "unread": {
          "tags": "unread",
          "on": {
            "reading.retry": "loading",
            "message.changed": "loading"
          }
        },
        "missing": {
          "tags": "missing"
        },
        "shown": {
          "initial": "current",
          "states": {
            "current": {
              "always": {
                "guard": "hasChanges",
                "target": "catchingUp"
              }
            },
            "catchingUp": {
              "tags": "refreshing",
              "entry": "askForChanges",
              "invoke": {
                "id": "readNews",
                "src": "readNews",
                "onDone": [
                  {
                    "guard": {
                      "type": "isMissing"
                    },
                    "target": "#conversation.messages.missing"
                  },
                  {
                    "target": "current",
                    "actions": [
                      {
                        "type": "storeNews"
                      },
                      "tellNews"
                    ]
                  }
                ],
                "onError": {
                  "target": "outdated",
                  "actions": [
                    "noteEverything",
                    {
                      "type": "reportFailure"
                    }
                  ]
                }
              }
            },
            "outdated": {
              "tags": "outdated",
              "on": {
                "reading.retry": "catchingUp",
                "message.changed": "catchingUp",
                "message.accepted": {
                  "target": "catchingUp",
                  "actions": {
                    "type": "storeAccepted"
                  }
                }
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
            "older.show": {
              "guard": "hasOlder",
              "target": "extending"
            }
          }
        },
        "extending": {
          "tags": "extending",
          "invoke": {
            "id": "readOlder",
            "src": "readOlder",
            "onDone": [
              {
                "guard": {
                  "type": "isStillOldest"
                },
                "target": "resting",
                "actions": {
                  "type": "storeOlder"
                }
              },
              {
                "target": "resting"
              }
            ],
            "onError": {
              "target": "unextended",
              "actions": {
                "type": "reportFailure"
              }
            }
          }
        },
        "unextended": {
          "on": {
            "older.show": {
              "guard": "hasOlder",
              "target": "extending"
            }
          }
        }
      }
    },
    "place": {
      "initial": "following",
      "on": {
        "messages.arrived": {
          "actions": "tellArrived"
        }
      },
      "states": {
        "following": {
          "on": {
            "bottom.leave": "above"
          }
        },
        "above": {
          "exit": "forgetBelow",
          "on": {
            "bottom.reach": "following",
            "newest.show": {
              "guard": "isShown",
              "target": "following"
            },
            "messages.arrived": {
              "actions": [
                "tellArrived",
                "countBelow"
              ]
            }
          }
        }
      }
    },
    "marks": {
      "initial": "resting",
      "states": {
        "resting": {
          "always": {
            "guard": "hasUnmarked",
            "target": "marking"
          },
          "on": {
            "messages.see": [
              {
                "guard": "isAbove"
              },
              {
                "guard": {
                  "type": "isUnread"
                },
                "actions": {
                  "type": "storeSeen"
                }
              }
            ]
          }
        },
        "marking": {
          "invoke": {
            "id": "markRead",
            "src": "markRead",
            "onDone": {
              "target": "resting",
              "actions": {
                "type": "storeRead"
              }
            },
            "onError": {
              "target": "unmarked",
              "actions": {
                "type": "reportFailure"
              }
            }
          },
          "on": {
            "messages.see": [
              {
                "guard": "isAbove"
              },
              {
                "guard": {
                  "type": "isFurther"
                },
                "actions": {
                  "type": "storeSeen"
                }
              }
            ]
          }
        },
        "unmarked": {
          "on": {
            "messages.see": [
              {
                "guard": "isAbove"
              },
              {
                "guard": {
                  "type": "isUnread"
                },
                "target": "marking",
                "actions": {
                  "type": "storeSeen"
                }
              }
            ]
          }
        }
      }
    }
  }
});
