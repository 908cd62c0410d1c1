import { createMachine } from "xstate";

// Generated from src/machines/session/session.machine.ts by `npm run statecharts`: import it into Stately's editor or visualizer.
export const session = createMachine({
  "id": "session",
  "initial": "checking",
  "invoke": [
    {
      "id": "watchSession",
      "src": "watchSession"
    },
    {
      "id": "watchTab",
      "src": "watchTab"
    }
  ],
  "states": {
    "checking": {
      "tags": "checking",
      "on": {
        "session.started": {
          "target": "signedIn",
          "actions": [
            {
              "type": "storeUser"
            },
            {
              "type": "storeToken"
            }
          ]
        },
        "recovery.started": {
          "target": "signedIn",
          "actions": [
            {
              "type": "storeUser"
            },
            {
              "type": "storeToken"
            },
            "startRecovery"
          ]
        },
        "session.ended": "signedOut"
      },
      "after": {
        "checkLimit": "signedOut"
      }
    },
    "signedOut": {
      "entry": [
        "forgetUser",
        "forgetSubscription",
        "removeToken"
      ],
      "on": {
        "session.started": {
          "target": "signedIn",
          "actions": [
            {
              "type": "storeUser"
            },
            {
              "type": "storeToken"
            }
          ]
        },
        "token.refreshed": {
          "target": "signedIn",
          "actions": [
            {
              "type": "storeUser"
            },
            {
              "type": "storeToken"
            }
          ]
        },
        "recovery.started": {
          "target": "signedIn",
          "actions": [
            {
              "type": "storeUser"
            },
            {
              "type": "storeToken"
            },
            "startRecovery"
          ]
        }
      }
    },
    "signedIn": {
      "type": "parallel",
      "invoke": {
        "id": "watchSubscription",
        "src": "watchSubscription"
      },
      "on": {
        "session.end": "signingOut",
        "session.ended": "signedOut",
        "session.started": [
          {
            "guard": {
              "type": "isAnotherUser"
            },
            "target": "signedIn",
            "reenter": true,
            "actions": [
              "forgetSubscription",
              "endRecovery",
              {
                "type": "storeUser"
              },
              {
                "type": "storeToken"
              }
            ]
          },
          {
            "guard": {
              "type": "hasChangedUser"
            },
            "actions": [
              {
                "type": "storeUser"
              },
              {
                "type": "storeToken"
              },
              "refreshReading"
            ]
          },
          {
            "actions": {
              "type": "storeToken"
            }
          }
        ],
        "recovery.started": [
          {
            "guard": {
              "type": "isAnotherUser"
            },
            "target": "signedIn",
            "reenter": true,
            "actions": [
              "forgetSubscription",
              "endRecovery",
              {
                "type": "storeUser"
              },
              {
                "type": "storeToken"
              },
              "startRecovery"
            ]
          },
          {
            "actions": [
              {
                "type": "storeUser"
              },
              {
                "type": "storeToken"
              },
              "startRecovery"
            ]
          }
        ],
        "user.updated": [
          {
            "guard": {
              "type": "isAnotherUser"
            },
            "target": "signedIn",
            "reenter": true,
            "actions": [
              "forgetSubscription",
              "endRecovery",
              {
                "type": "storeUser"
              },
              {
                "type": "storeToken"
              }
            ]
          },
          {
            "actions": [
              {
                "type": "storeUser"
              },
              {
                "type": "storeToken"
              },
              "endRecovery",
              "refreshReading"
            ]
          }
        ],
        "token.refreshed": [
          {
            "guard": {
              "type": "isAnotherUser"
            },
            "target": "signedIn",
            "reenter": true,
            "actions": [
              "forgetSubscription",
              "endRecovery",
              {
                "type": "storeUser"
              },
              {
                "type": "storeToken"
              }
            ]
          },
          {
            "actions": {
              "type": "storeToken"
            }
          }
        ],
        "tab.shown": {
          "actions": [
            {
              "type": "moveJudgement"
            },
            "keepFresh"
          ]
        }
      },
      "states": {
        "access": {
          "initial": "unknown",
          "states": {
            "unknown": {
              "tags": "checking",
              "always": [
                {
                  "guard": "hasAccess",
                  "target": "subscribed"
                },
                {
                  "guard": "isChecked",
                  "target": "unsubscribed"
                }
              ]
            },
            "subscribed": {
              "always": {
                "guard": "hasNoAccess",
                "target": "unsubscribed"
              },
              "after": {
                "accessSpan": {
                  "target": "subscribed",
                  "reenter": true,
                  "actions": "passAccessSpan"
                }
              }
            },
            "unsubscribed": {
              "always": {
                "guard": "hasAccess",
                "target": "subscribed"
              }
            }
          }
        },
        "subscription": {
          "initial": "loading",
          "states": {
            "loading": {
              "tags": [
                "loading"
              ],
              "invoke": {
                "id": "fetchSubscription",
                "src": "fetchSubscription",
                "onDone": {
                  "target": "shown",
                  "actions": {
                    "type": "storeReading"
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
              },
              "initial": "waiting",
              "states": {
                "waiting": {
                  "after": {
                    "checkLimit": "late"
                  }
                },
                "late": {
                  "tags": "unread",
                  "on": {
                    "reading.retry": {
                      "target": "#session.signedIn.subscription.loading",
                      "reenter": true
                    }
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
                    "id": "fetchSubscription",
                    "src": "fetchSubscription",
                    "onDone": {
                      "target": "current",
                      "actions": {
                        "type": "storeReading"
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
        }
      }
    },
    "signingOut": {
      "invoke": {
        "id": "signOut",
        "src": "signOut",
        "onDone": "signedOut",
        "onError": {
          "target": "signedOut",
          "actions": {
            "type": "reportFailure"
          }
        }
      },
      "on": {
        "session.ended": "signedOut"
      }
    }
  }
});
