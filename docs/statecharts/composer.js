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
          "target": ".typed",
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
          "target": ".typed",
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
          "target": ".typed",
          "actions": [
            {
              "type": "takeBack"
            },
            {
              "type": "keep"
            }
          ]
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
                "guard": "isFirstOffer",
                "actions": {
                  "type": "noteSaved"
                }
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
                  "type": "isOtherText"
                },
                "target": "typed",
                "actions": {
                  "type": "storeSaved"
                }
              },
              {
                "target": "kept",
                "actions": {
                  "type": "storeSaved"
                }
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
