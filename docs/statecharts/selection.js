import { createMachine } from "xstate";

// Generated from src/machines/selection/selection.machine.ts by `npm run statecharts`: import it into Stately's editor or visualizer.
export const selection = createMachine({
  "id": "selection",
  "type": "parallel",
  "states": {
    "picked": {
      "initial": "none",
      "on": {
        "list.shown": [
          {
            "guard": {
              "type": "isOtherList"
            },
            "target": ".none",
            "actions": {
              "type": "storeList"
            }
          },
          {
            "target": ".counting",
            "actions": {
              "type": "storeList"
            }
          }
        ],
        "lead.toggle": {
          "target": ".counting",
          "actions": {
            "type": "toggle"
          }
        },
        "lead.extend": {
          "target": ".counting",
          "actions": {
            "type": "extend"
          }
        },
        "page.toggle": [
          {
            "guard": "isPageSelected",
            "target": ".counting",
            "actions": "unselectPage"
          },
          {
            "guard": "hasPage",
            "target": ".counting",
            "actions": "selectPage"
          }
        ]
      },
      "states": {
        "counting": {
          "always": [
            {
              "guard": "isEmpty",
              "target": "none"
            },
            {
              "guard": "isPageSelected",
              "target": "allOnPage"
            },
            {
              "target": "some"
            }
          ]
        },
        "none": {
          "entry": "forget",
          "on": {
            "selection.clear": {
              "guard": "hasProblem",
              "actions": "forgetProblem"
            }
          }
        },
        "some": {
          "on": {
            "matching.select": {
              "guard": "areMoreMatching",
              "target": "allMatching"
            },
            "selection.clear": "none"
          }
        },
        "allOnPage": {
          "on": {
            "matching.select": {
              "guard": "areMoreMatching",
              "target": "allMatching"
            },
            "selection.clear": "none"
          }
        },
        "allMatching": {
          "entry": [
            "meanAll",
            "selectPageAlone"
          ],
          "exit": "meanThese",
          "on": {
            "selection.clear": "none",
            "list.shown": [
              {
                "guard": {
                  "type": "isOtherList"
                },
                "target": "none",
                "actions": {
                  "type": "storeList"
                }
              },
              {
                "guard": {
                  "type": "isNobodyLeft"
                },
                "target": "none",
                "actions": {
                  "type": "storeList"
                }
              },
              {
                "actions": [
                  {
                    "type": "storeList"
                  },
                  "selectPageAlone"
                ]
              }
            ]
          }
        }
      }
    },
    "work": {
      "initial": "remembering",
      "invoke": {
        "id": "watchJobs",
        "src": "watchJobs",
        "onError": {
          "actions": {
            "type": "reportFailure"
          }
        }
      },
      "states": {
        "remembering": {
          "always": [
            {
              "guard": "hasJob",
              "target": "following"
            },
            {
              "target": "resting"
            }
          ]
        },
        "resting": {
          "initial": "idle",
          "on": {
            "batch.start": [
              {
                "guard": "hasNobody"
              },
              {
                "guard": {
                  "type": "asksFirst"
                },
                "target": "awaitingConfirmation",
                "actions": {
                  "type": "storeAsked"
                }
              },
              {
                "target": "acting",
                "actions": {
                  "type": "storeAsked"
                }
              }
            ]
          },
          "states": {
            "idle": {
              "entry": [
                "forgetOutcome",
                "forgetRemembered"
              ]
            },
            "undoable": {
              "entry": {
                "type": "remember"
              },
              "after": {
                "undoTime": "idle"
              },
              "on": {
                "batch.undo": {
                  "target": "#selection.work.undoing",
                  "actions": "beginUndo"
                }
              }
            }
          }
        },
        "awaitingConfirmation": {
          "invoke": {
            "id": "askConfirmation",
            "src": "askConfirmation",
            "onDone": [
              {
                "guard": {
                  "type": "isConfirmed"
                },
                "target": "acting"
              },
              {
                "target": "resting"
              }
            ],
            "onError": "resting"
          }
        },
        "acting": {
          "invoke": {
            "id": "startBatch",
            "src": "startBatch",
            "onDone": [
              {
                "guard": {
                  "type": "isJob"
                },
                "target": "following",
                "actions": {
                  "type": "storeAnswer"
                }
              },
              {
                "target": "ended",
                "actions": {
                  "type": "storeAnswer"
                }
              }
            ],
            "onError": {
              "target": "resting",
              "actions": [
                {
                  "type": "storeProblem"
                },
                {
                  "type": "reportFailure"
                },
                "readListAnew"
              ]
            }
          }
        },
        "following": {
          "initial": "reading",
          "exit": "forgetJob",
          "states": {
            "reading": {
              "invoke": {
                "id": "readJob",
                "src": "readJob",
                "onDone": [
                  {
                    "guard": {
                      "type": "isEnded"
                    },
                    "target": "#selection.work.ended",
                    "actions": {
                      "type": "storeJob"
                    }
                  },
                  {
                    "guard": {
                      "type": "isFailed"
                    },
                    "target": "#selection.work.ended",
                    "actions": [
                      {
                        "type": "storeJob"
                      },
                      {
                        "type": "storeJobProblem"
                      }
                    ]
                  },
                  {
                    "target": "waiting",
                    "actions": {
                      "type": "storeJob"
                    }
                  }
                ],
                "onError": [
                  {
                    "guard": {
                      "type": "isGone"
                    },
                    "target": "#selection.work.resting"
                  },
                  {
                    "target": "waiting",
                    "actions": {
                      "type": "reportFailure"
                    }
                  }
                ]
              }
            },
            "waiting": {
              "after": {
                "jobPause": "reading"
              },
              "on": {
                "job.changed": "reading",
                "job.cancel": "cancelling"
              }
            },
            "cancelling": {
              "invoke": {
                "id": "cancelJob",
                "src": "cancelJob",
                "onDone": "reading",
                "onError": {
                  "target": "waiting",
                  "actions": [
                    {
                      "type": "storeJobProblem"
                    },
                    {
                      "type": "reportFailure"
                    }
                  ]
                }
              }
            }
          }
        },
        "undoing": {
          "invoke": {
            "id": "undoBatch",
            "src": "undoBatch",
            "onDone": [
              {
                "guard": {
                  "type": "isJob"
                },
                "target": "following",
                "actions": {
                  "type": "storeAnswer"
                }
              },
              {
                "target": "ended",
                "actions": {
                  "type": "storeAnswer"
                }
              }
            ],
            "onError": {
              "target": "resting",
              "actions": [
                {
                  "type": "storeProblem"
                },
                {
                  "type": "reportFailure"
                },
                "readListAnew"
              ]
            }
          }
        },
        "ended": {
          "entry": [
            "readListAnew",
            "letExcludedGo"
          ],
          "always": [
            {
              "guard": "canBeUndone",
              "target": "#selection.work.resting.undoable",
              "actions": {
                "type": "offerUndo"
              }
            },
            {
              "guard": "isTold",
              "target": "resting"
            },
            {
              "target": "resting",
              "actions": {
                "type": "tell"
              }
            }
          ]
        }
      }
    }
  }
});
