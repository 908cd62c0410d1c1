import { createMachine } from "xstate";

// Generated from src/machines/bulk-job/bulk-job.machine.ts by `npm run statecharts`: import it into Stately's editor or visualizer.
export const bulkJob = createMachine({
  "id": "bulkJob",
  "type": "parallel",
  "states": {
    "stages": {
      "initial": "loading",
      "states": {
        "loading": {
          "tags": [
            "loading"
          ],
          "invoke": {
            "id": "listStages",
            "src": "listStages",
            "onDone": {
              "target": "loaded",
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
        "loaded": {}
      }
    },
    "composer": {
      "initial": "composing",
      "states": {
        "composing": {
          "on": {
            "stage.choose": {
              "actions": {
                "type": "storeStageId"
              }
            },
            "media.choose": [
              {
                "guard": {
                  "type": "isTooLarge"
                },
                "target": "alerting",
                "actions": [
                  "forgetMedia",
                  {
                    "type": "storeAlert"
                  }
                ]
              },
              {
                "guard": {
                  "type": "isNotMedia"
                },
                "target": "alerting",
                "actions": [
                  "forgetMedia",
                  {
                    "type": "storeAlert"
                  }
                ]
              },
              {
                "actions": {
                  "type": "storeMedia"
                }
              }
            ],
            "message.send": {
              "target": "countingLeads",
              "actions": {
                "type": "storeMessage"
              }
            }
          }
        },
        "countingLeads": {
          "tags": "busy",
          "on": {
            "stage.choose": {
              "target": "composing",
              "actions": {
                "type": "storeStageId"
              }
            }
          },
          "invoke": {
            "id": "countLeads",
            "src": "countLeads",
            "onDone": {
              "target": "checking",
              "actions": {
                "type": "storeLeadCount"
              }
            },
            "onError": {
              "target": "alerting",
              "actions": [
                {
                  "type": "storeAlert"
                },
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
        "checking": {
          "always": [
            {
              "guard": "hasNoLeadsNorMessage",
              "target": "composing"
            },
            {
              "guard": "hasNothingToSend",
              "target": "alerting",
              "actions": {
                "type": "storeAlert"
              }
            },
            {
              "guard": "isTooLong",
              "target": "alerting",
              "actions": "storeTooLongAlert"
            },
            {
              "guard": "isThrottleOutOfRange",
              "target": "alerting",
              "actions": {
                "type": "storeAlert"
              }
            },
            {
              "guard": "hasNoLeads",
              "target": "alerting",
              "actions": "storeNoLeadsAlert"
            },
            {
              "guard": "hasRunningJob",
              "target": "alerting",
              "actions": {
                "type": "storeAlert"
              }
            },
            {
              "target": "asking"
            }
          ]
        },
        "asking": {
          "tags": "busy",
          "initial": "foreseeing",
          "invoke": {
            "id": "foresee",
            "src": "foresee",
            "onDone": {
              "target": ".confirming",
              "actions": {
                "type": "storePreflight"
              }
            },
            "onError": {
              "target": ".confirming",
              "actions": [
                {
                  "type": "storeForesight"
                },
                {
                  "type": "reportFailure"
                }
              ]
            }
          },
          "states": {
            "foreseeing": {
              "on": {
                "stage.choose": {
                  "target": "#bulkJob.composer.composing",
                  "actions": {
                    "type": "storeStageId"
                  }
                }
              },
              "after": {
                "preflightPatience": {
                  "target": "confirming",
                  "actions": {
                    "type": "storeForesight"
                  }
                }
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
                    "target": "#bulkJob.composer.queueing"
                  },
                  {
                    "target": "#bulkJob.composer.composing"
                  }
                ],
                "onError": "#bulkJob.composer.composing"
              }
            }
          }
        },
        "queueing": {
          "tags": "busy",
          "invoke": {
            "id": "queueMessages",
            "src": "queueMessages",
            "onDone": {
              "target": "composing",
              "actions": {
                "type": "announceJob"
              }
            },
            "onError": {
              "target": "alerting",
              "actions": [
                {
                  "type": "storeAlert"
                },
                {
                  "type": "storeProblem"
                },
                {
                  "type": "reportFailure"
                },
                "lookForJob"
              ]
            }
          }
        },
        "alerting": {
          "invoke": {
            "id": "showAlert",
            "src": "showAlert",
            "onDone": "composing",
            "onError": "composing"
          }
        }
      }
    },
    "job": {
      "initial": "remembering",
      "invoke": {
        "id": "watchJob",
        "src": "watchJob"
      },
      "states": {
        "remembering": {
          "always": [
            {
              "guard": "hasRememberedJob",
              "target": "resuming"
            },
            {
              "target": "looking"
            }
          ]
        },
        "resuming": {
          "invoke": {
            "id": "fetchRememberedJob",
            "src": "fetchJob",
            "onDone": [
              {
                "guard": {
                  "type": "isRunning"
                },
                "target": "running",
                "actions": {
                  "type": "storeProgress"
                }
              },
              {
                "target": "looking"
              }
            ],
            "onError": [
              {
                "guard": {
                  "type": "isGone"
                },
                "target": "looking"
              },
              {
                "target": "running.stalled",
                "actions": {
                  "type": "reportFailure"
                }
              }
            ]
          }
        },
        "looking": {
          "entry": [
            "forgetJob",
            "forgetRememberedJob"
          ],
          "on": {
            "job.queued": {
              "target": "#bulkJob.job.running",
              "actions": {
                "type": "storeJobId"
              }
            }
          },
          "invoke": {
            "id": "findJob",
            "src": "findJob",
            "onDone": [
              {
                "guard": {
                  "type": "isFound"
                },
                "target": "running",
                "actions": [
                  {
                    "type": "storeFoundJob"
                  },
                  {
                    "type": "storeProgress"
                  }
                ]
              },
              {
                "target": "absent"
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
            "reading.retry": "looking",
            "job.queued": {
              "target": "#bulkJob.job.running",
              "actions": {
                "type": "storeJobId"
              }
            },
            "job.changed": "looking"
          }
        },
        "absent": {
          "entry": [
            "forgetJob",
            "forgetRememberedJob"
          ],
          "on": {
            "job.queued": {
              "target": "#bulkJob.job.running",
              "actions": {
                "type": "storeJobId"
              }
            },
            "job.changed": "looking"
          }
        },
        "running": {
          "initial": "waiting",
          "on": {
            "job.continue": {
              "guard": "isHeld",
              "target": "continuing"
            },
            "job.cancel": "cancelling",
            "job.queued": {
              "target": "#bulkJob.job.running",
              "actions": {
                "type": "storeJobId"
              }
            }
          },
          "states": {
            "waiting": {
              "entry": {
                "type": "rememberJob"
              },
              "on": {
                "job.changed": "polling"
              },
              "after": {
                "pollInterval": "polling"
              }
            },
            "polling": {
              "invoke": {
                "id": "fetchJob",
                "src": "fetchJob",
                "onDone": [
                  {
                    "guard": {
                      "type": "isRunning"
                    },
                    "target": "waiting",
                    "actions": {
                      "type": "storeProgress"
                    }
                  },
                  {
                    "target": "#bulkJob.job.finished",
                    "actions": [
                      {
                        "type": "storeProgress"
                      },
                      {
                        "type": "storeResult"
                      }
                    ]
                  }
                ],
                "onError": [
                  {
                    "guard": {
                      "type": "isGone"
                    },
                    "target": "#bulkJob.job.absent"
                  },
                  {
                    "target": "stalled",
                    "actions": {
                      "type": "reportFailure"
                    }
                  }
                ]
              }
            },
            "stalled": {
              "on": {
                "job.recheck": "polling",
                "job.changed": "polling"
              }
            }
          }
        },
        "cancelling": {
          "entry": "forgetJobProblem",
          "invoke": {
            "id": "cancelJob",
            "src": "cancelJob",
            "onDone": "announcingCancel",
            "onError": {
              "target": "announcingFailure",
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
        },
        "continuing": {
          "entry": "forgetJobProblem",
          "invoke": {
            "id": "continueJob",
            "src": "continueJob",
            "onDone": {
              "target": "running",
              "actions": {
                "type": "storeProgress"
              }
            },
            "onError": {
              "target": "running.polling",
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
        },
        "announcingCancel": {
          "invoke": {
            "id": "announceCancel",
            "src": "showAlert",
            "onDone": "absent",
            "onError": "absent"
          },
          "entry": [
            "forgetJob",
            "forgetRememberedJob"
          ]
        },
        "announcingFailure": {
          "invoke": {
            "id": "announceFailure",
            "src": "showAlert",
            "onDone": "running",
            "onError": "running"
          }
        },
        "finished": {
          "entry": {
            "type": "rememberJob"
          },
          "on": {
            "job.queued": {
              "target": "#bulkJob.job.running",
              "actions": {
                "type": "storeJobId"
              }
            }
          },
          "after": {
            "resultDuration": "absent"
          }
        }
      }
    }
  }
});
