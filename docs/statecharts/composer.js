import { createMachine } from "xstate";

// Generated from src/machines/composer/composer.machine.ts by `npm run statecharts`: import it into Stately's editor or visualizer.
export const composer = createMachine({
  "id": "composer",
  "type": "parallel",
  "states": {
    "draft": {
      "initial": "kept",
      "on": {
        "text.change": {
          "guard": {
            "type": "isOtherText"
          },
          "actions": [
            {
              "type": "storeText"
            },
            {
              "type": "keep"
            }
          ],
          "target": ".typed"
        },
        "reply.send": {
          "guard": "canSend",
          "actions": [
            {
              "type": "queueReply"
            },
            {
              "type": "keep"
            }
          ],
          "target": ".typed"
        },
        "reply.edit": {
          "guard": {
            "type": "isEditable"
          },
          "actions": [
            {
              "type": "takeBack"
            },
            {
              "type": "keep"
            }
          ],
          "target": ".typed"
        }
      },
      "states": {
        "kept": {
          "on": {
            "draft.offer": [
              {
                "guard": {
                  "type": "isWelcome"
                },
                "actions": [
                  {
                    "type": "takeOffer"
                  },
                  {
                    "type": "keep"
                  }
                ]
              },
              {
                "guard": {
                  "type": "isSame"
                },
                "actions": {
                  "type": "noteSaved"
                }
              },
              {
                "guard": {
                  "type": "isUnheardOf"
                },
                "target": "saving"
              }
            ]
          }
        },
        "typed": {
          "after": {
            "draftPause": [
              {
                "guard": "isUnsaved",
                "target": "saving"
              },
              {
                "target": "kept"
              }
            ]
          }
        },
        "saving": {
          "invoke": {
            "id": "saveDraft",
            "src": "saveDraft",
            "onDone": [
              {
                "guard": {
                  "type": "isWelcomeTheirs"
                },
                "target": "kept",
                "actions": [
                  {
                    "type": "takeOffer"
                  },
                  {
                    "type": "keep"
                  }
                ]
              },
              {
                "guard": {
                  "type": "isTheirs"
                },
                "target": "contested",
                "actions": {
                  "type": "storeTheirs"
                }
              },
              {
                "guard": {
                  "type": "isOtherText"
                },
                "target": "typed",
                "actions": [
                  {
                    "type": "storeSaved"
                  },
                  {
                    "type": "keep"
                  }
                ]
              },
              {
                "target": "kept",
                "actions": [
                  {
                    "type": "storeSaved"
                  },
                  {
                    "type": "keep"
                  }
                ]
              }
            ],
            "onError": {
              "target": "kept",
              "actions": {
                "type": "reportFailure"
              }
            }
          },
          "on": {
            "text.change": {
              "guard": {
                "type": "isOtherText"
              },
              "actions": [
                {
                  "type": "storeText"
                },
                {
                  "type": "keep"
                }
              ]
            },
            "reply.send": {
              "guard": "canSend",
              "actions": [
                {
                  "type": "queueReply"
                },
                {
                  "type": "keep"
                }
              ]
            },
            "reply.edit": {
              "guard": {
                "type": "isEditable"
              },
              "actions": [
                {
                  "type": "takeBack"
                },
                {
                  "type": "keep"
                }
              ]
            }
          }
        },
        "contested": {
          "on": {
            "text.change": {
              "guard": {
                "type": "isOtherText"
              },
              "actions": [
                {
                  "type": "storeText"
                },
                {
                  "type": "keep"
                }
              ]
            },
            "reply.send": {
              "guard": "canSend",
              "target": "kept",
              "actions": [
                {
                  "type": "queueReply"
                },
                "takeTheirs",
                {
                  "type": "keep"
                }
              ]
            },
            "reply.edit": {
              "guard": {
                "type": "isEditable"
              },
              "actions": [
                {
                  "type": "takeBack"
                },
                {
                  "type": "keep"
                }
              ]
            },
            "draft.takeTheirs": {
              "target": "kept",
              "actions": [
                "takeTheirs",
                {
                  "type": "keep"
                }
              ]
            },
            "draft.keepMine": {
              "target": "typed",
              "actions": [
                "passOverTheirs",
                {
                  "type": "keep"
                }
              ]
            }
          }
        }
      }
    },
    "attachment": {
      "on": {
        "file.attach": [
          {
            "guard": {
              "type": "isSendable"
            },
            "actions": [
              {
                "type": "attach"
              },
              {
                "type": "keep"
              }
            ]
          },
          {
            "actions": {
              "type": "refuseFile"
            }
          }
        ],
        "file.remove": {
          "guard": "hasFile",
          "actions": [
            "removeFile",
            {
              "type": "keep"
            }
          ]
        }
      }
    },
    "post": {
      "initial": "resting",
      "on": {
        "reply.retry": {
          "guard": {
            "type": "isRetriable"
          },
          "actions": [
            {
              "type": "queueRetry"
            },
            {
              "type": "keep"
            }
          ]
        },
        "reply.discard": {
          "guard": {
            "type": "isUnsent"
          },
          "actions": [
            {
              "type": "discard"
            },
            {
              "type": "keep"
            }
          ]
        },
        "message.again": {
          "guard": {
            "type": "isFailed"
          },
          "actions": [
            {
              "type": "queueAgain"
            },
            {
              "type": "keep"
            }
          ]
        }
      },
      "states": {
        "resting": {
          "always": {
            "guard": "hasWaiting",
            "target": "posting"
          }
        },
        "posting": {
          "entry": "startPosting",
          "invoke": {
            "id": "postReply",
            "src": "postReply",
            "onDone": [
              {
                "guard": {
                  "type": "isAccepted"
                },
                "target": "resting",
                "actions": [
                  "dropPosted",
                  {
                    "type": "keep"
                  },
                  {
                    "type": "tellVerdict"
                  }
                ]
              },
              {
                "target": "resting",
                "actions": [
                  {
                    "type": "refusePosted"
                  },
                  {
                    "type": "keep"
                  },
                  {
                    "type": "tellVerdict"
                  }
                ]
              }
            ],
            "onError": {
              "target": "resting",
              "actions": [
                "leavePostedUnanswered",
                {
                  "type": "keep"
                },
                {
                  "type": "tellVerdict"
                },
                {
                  "type": "reportFailure"
                }
              ]
            }
          }
        }
      }
    }
  }
});
