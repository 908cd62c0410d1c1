import { createMachine } from "xstate";

// Generated from src/machines/leads/leads.machine.ts by `npm run statecharts`: import it into Stately's editor or visualizer.
export const leads = createMachine({
  "id": "leads",
  "type": "parallel",
  "states": {
    "list": {
      "initial": "table",
      "invoke": {
        "id": "watchAddress",
        "src": "watchAddress",
        "onError": {
          "actions": {
            "type": "reportFailure"
          }
        }
      },
      "on": {
        "filters.apply": [
          {
            "guard": "hasReadableDates",
            "target": ".table.reloading",
            "actions": [
              "applyDraft",
              "goToFirstPage"
            ]
          },
          {
            "actions": "refuseDates"
          }
        ],
        "more.change": {
          "target": ".table.reloading",
          "actions": [
            {
              "type": "storeMore"
            },
            "goToFirstPage"
          ]
        },
        "filters.clear": {
          "target": ".table.reloading",
          "actions": [
            "clearFilters",
            "goToFirstPage"
          ]
        },
        "list.refresh": ".table.loadingBoard",
        "list.reload": ".table.reloading",
        "address.changed": {
          "guard": {
            "type": "isElsewhere"
          },
          "target": ".table.reloading",
          "actions": {
            "type": "goToPlace"
          }
        }
      },
      "states": {
        "table": {
          "initial": "loadingBoard",
          "on": {
            "filter.change": [
              {
                "guard": "isPastFirstPage",
                "target": ".reloading",
                "actions": [
                  {
                    "type": "storeDraft"
                  },
                  "goToFirstPage"
                ]
              },
              {
                "actions": {
                  "type": "storeDraft"
                }
              }
            ],
            "filter.clear": [
              {
                "guard": {
                  "type": "isApplied"
                },
                "target": ".reloading",
                "actions": [
                  {
                    "type": "clearDraft"
                  },
                  {
                    "type": "clearApplied"
                  },
                  "goToFirstPage"
                ]
              },
              {
                "guard": "isPastFirstPage",
                "target": ".reloading",
                "actions": [
                  {
                    "type": "clearDraft"
                  },
                  "goToFirstPage"
                ]
              },
              {
                "actions": {
                  "type": "clearDraft"
                }
              }
            ],
            "page.next": {
              "guard": "hasNextPage",
              "target": ".reloading",
              "actions": "goToNextPage"
            },
            "page.previous": {
              "guard": "isPastFirstPage",
              "target": ".reloading",
              "actions": "goToPreviousPage"
            },
            "arrivals.show": {
              "guard": "hasArrivals",
              "target": ".reloading",
              "actions": "goToFirstPage"
            },
            "row.touch": {
              "guard": {
                "type": "isUntouched"
              },
              "actions": "startRows"
            }
          },
          "states": {
            "reloading": {
              "entry": {
                "type": "writeAddress"
              },
              "always": [
                {
                  "guard": "hasBoard",
                  "target": "loadingPage"
                },
                {
                  "target": "loadingBoard"
                }
              ]
            },
            "loadingBoard": {
              "tags": "loading",
              "entry": "countReading",
              "invoke": {
                "id": "fetchBoard",
                "src": "fetchBoard",
                "onDone": [
                  {
                    "guard": {
                      "type": "isPastLastPage"
                    },
                    "target": "reloading",
                    "actions": [
                      {
                        "type": "storeBoard"
                      },
                      {
                        "type": "goToLastPage"
                      },
                      {
                        "type": "correctAddress"
                      }
                    ]
                  },
                  {
                    "target": "shown",
                    "actions": [
                      {
                        "type": "storeBoard"
                      },
                      {
                        "type": "storePage"
                      },
                      "saveStrays",
                      "startRows",
                      "refreshRows"
                    ]
                  }
                ],
                "onError": [
                  {
                    "guard": "isStillShown",
                    "target": "outdated",
                    "actions": [
                      {
                        "type": "storeRefusal"
                      },
                      {
                        "type": "reportFailure"
                      }
                    ]
                  },
                  {
                    "target": "#leads.list.unread",
                    "actions": [
                      {
                        "type": "storeRefusal"
                      },
                      {
                        "type": "reportFailure"
                      }
                    ]
                  }
                ]
              }
            },
            "loadingPage": {
              "tags": "loading",
              "entry": "countReading",
              "invoke": {
                "id": "fetchPage",
                "src": "fetchPage",
                "onDone": [
                  {
                    "guard": {
                      "type": "isPastLastPage"
                    },
                    "target": "reloading",
                    "actions": [
                      {
                        "type": "goToLastPage"
                      },
                      {
                        "type": "correctAddress"
                      }
                    ]
                  },
                  {
                    "target": "shown",
                    "actions": [
                      {
                        "type": "storePage"
                      },
                      "saveStrays",
                      "startRows",
                      "refreshRows"
                    ]
                  }
                ],
                "onError": [
                  {
                    "guard": "isStillShown",
                    "target": "outdated",
                    "actions": [
                      {
                        "type": "storeRefusal"
                      },
                      {
                        "type": "reportFailure"
                      }
                    ]
                  },
                  {
                    "target": "#leads.list.unread",
                    "actions": [
                      {
                        "type": "storeRefusal"
                      },
                      {
                        "type": "reportFailure"
                      }
                    ]
                  }
                ]
              }
            },
            "shown": {},
            "outdated": {
              "tags": "outdated",
              "on": {
                "reading.retry": "loadingBoard"
              }
            }
          }
        },
        "unread": {
          "tags": "unread",
          "on": {
            "reading.retry": "table.loadingBoard"
          }
        }
      }
    },
    "news": {
      "invoke": {
        "id": "watchLeads",
        "src": "watchLeads",
        "onError": {
          "actions": {
            "type": "reportFailure"
          }
        }
      },
      "on": {
        "lead.changed": {
          "actions": {
            "type": "noteChange"
          }
        }
      },
      "initial": "quiet",
      "states": {
        "quiet": {
          "always": {
            "guard": "hasChanges",
            "target": "gathering"
          }
        },
        "gathering": {
          "after": {
            "newsPause": [
              {
                "guard": "isSettled",
                "target": "reading",
                "actions": "askForChanges"
              },
              {
                "target": "gathering",
                "reenter": true
              }
            ]
          }
        },
        "reading": {
          "invoke": {
            "id": "readNews",
            "src": "readNews",
            "onDone": [
              {
                "guard": {
                  "type": "isOfThisReading"
                },
                "target": "quiet",
                "actions": [
                  {
                    "type": "storeNews"
                  },
                  "saveStrays",
                  "refreshRows"
                ]
              },
              {
                "target": "quiet",
                "actions": "askAgain"
              }
            ],
            "onError": {
              "target": "failed",
              "actions": [
                "askAgain",
                {
                  "type": "reportFailure"
                }
              ]
            }
          }
        },
        "failed": {
          "on": {
            "lead.changed": {
              "target": "gathering",
              "actions": {
                "type": "noteChange"
              }
            }
          },
          "after": {
            "newsRetry": "gathering"
          }
        }
      }
    }
  }
});
