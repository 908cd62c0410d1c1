import { createMachine } from "xstate";

// Generated from src/machines/telegram/telegram.machine.ts by `npm run statecharts`: import it into Stately's editor or visualizer.
export const telegram = createMachine({
  "id": "telegram",
  "invoke": {
    "id": "watchConnection",
    "src": "watchConnection"
  },
  "initial": "checkingStatus",
  "states": {
    "checkingStatus": {
      "entry": "forgetUnchecked",
      "invoke": {
        "id": "checkStatus",
        "src": "checkStatus",
        "onDone": [
          {
            "guard": {
              "type": "hasConnection"
            },
            "target": "connected",
            "actions": {
              "type": "storeStatus"
            }
          },
          {
            "target": "disconnected",
            "actions": {
              "type": "storeLastPhone"
            }
          }
        ],
        "onError": {
          "target": "disconnected",
          "actions": [
            "markUnchecked",
            {
              "type": "reportFailure"
            }
          ]
        }
      }
    },
    "disconnected": {
      "initial": "code",
      "states": {
        "code": {
          "initial": "awaitingPhone",
          "states": {
            "awaitingPhone": {
              "on": {
                "reading.retry": {
                  "guard": "isUnchecked",
                  "target": "#telegram.checkingStatus"
                },
                "phone.submit": {
                  "target": "requestingCode",
                  "actions": [
                    "forgetMessage",
                    {
                      "type": "storePhone"
                    }
                  ]
                },
                "tab.choose": {
                  "guard": {
                    "type": "isTab"
                  },
                  "target": "#telegram.disconnected.qr",
                  "actions": "forgetMessage"
                },
                "connection.seen": {
                  "guard": {
                    "type": "hasConnection"
                  },
                  "target": "#telegram.connected",
                  "actions": [
                    "forgetMessage",
                    {
                      "type": "storeStatus"
                    }
                  ]
                }
              }
            },
            "requestingCode": {
              "tags": "busy",
              "on": {
                "tab.choose": {
                  "guard": {
                    "type": "isTab"
                  },
                  "target": "#telegram.disconnected.qr",
                  "actions": "forgetMessage"
                }
              },
              "invoke": {
                "id": "requestCode",
                "src": "requestCode",
                "onDone": [
                  {
                    "guard": {
                      "type": "isRefused"
                    },
                    "target": "awaitingPhone",
                    "actions": {
                      "type": "sayRefusal"
                    }
                  },
                  {
                    "target": "awaitingCode"
                  }
                ],
                "onError": {
                  "target": "awaitingPhone",
                  "actions": {
                    "type": "say"
                  }
                }
              }
            },
            "awaitingCode": {
              "on": {
                "code.submit": {
                  "target": "checkingCode",
                  "actions": "forgetMessage"
                },
                "login.restart": {
                  "target": "awaitingPhone",
                  "actions": "forgetMessage"
                },
                "connection.seen": {
                  "guard": {
                    "type": "hasConnection"
                  },
                  "target": "#telegram.connected",
                  "actions": [
                    {
                      "type": "storeStatus"
                    },
                    {
                      "type": "say"
                    }
                  ]
                }
              }
            },
            "checkingCode": {
              "tags": "busy",
              "invoke": {
                "id": "checkCode",
                "src": "checkCode",
                "onDone": [
                  {
                    "guard": {
                      "type": "isPasswordNeeded"
                    },
                    "target": "awaitingPassword",
                    "actions": {
                      "type": "storeHint"
                    }
                  },
                  {
                    "guard": {
                      "type": "isConnected"
                    },
                    "target": "#telegram.connected",
                    "actions": {
                      "type": "storeLogin"
                    }
                  },
                  {
                    "target": "awaitingCode",
                    "actions": {
                      "type": "sayRefusal"
                    }
                  }
                ],
                "onError": {
                  "target": "awaitingCode",
                  "actions": [
                    {
                      "type": "sayUnanswered"
                    },
                    "checkConnection"
                  ]
                }
              }
            },
            "awaitingPassword": {
              "on": {
                "password.submit": {
                  "target": "checkingPassword",
                  "actions": "forgetMessage"
                },
                "login.restart": {
                  "target": "awaitingPhone",
                  "actions": "forgetMessage"
                },
                "connection.seen": {
                  "guard": {
                    "type": "hasConnection"
                  },
                  "target": "#telegram.connected",
                  "actions": [
                    {
                      "type": "storeStatus"
                    },
                    {
                      "type": "say"
                    }
                  ]
                }
              }
            },
            "checkingPassword": {
              "tags": "busy",
              "invoke": {
                "id": "checkPassword",
                "src": "checkPassword",
                "onDone": [
                  {
                    "guard": {
                      "type": "isConnected"
                    },
                    "target": "#telegram.connected",
                    "actions": {
                      "type": "storeLogin"
                    }
                  },
                  {
                    "target": "awaitingPassword",
                    "actions": {
                      "type": "sayRefusal"
                    }
                  }
                ],
                "onError": {
                  "target": "awaitingPassword",
                  "actions": [
                    {
                      "type": "sayUnanswered"
                    },
                    "checkConnection"
                  ]
                }
              }
            }
          }
        },
        "qr": {
          "initial": "resting",
          "entry": {
            "type": "storePhone"
          },
          "states": {
            "resting": {
              "on": {
                "qr.start": {
                  "target": "starting",
                  "actions": "forgetMessage"
                },
                "tab.choose": {
                  "guard": {
                    "type": "isTab"
                  },
                  "target": "#telegram.disconnected.code",
                  "actions": "forgetMessage"
                },
                "connection.seen": {
                  "guard": {
                    "type": "hasConnection"
                  },
                  "target": "#telegram.connected",
                  "actions": [
                    "forgetMessage",
                    {
                      "type": "storeStatus"
                    }
                  ]
                }
              }
            },
            "starting": {
              "tags": "busy",
              "invoke": {
                "id": "startQr",
                "src": "startQr",
                "onDone": [
                  {
                    "guard": {
                      "type": "isRefused"
                    },
                    "target": "resting",
                    "actions": {
                      "type": "sayRefusal"
                    }
                  },
                  {
                    "target": "awaitingApproval",
                    "actions": {
                      "type": "storeQr"
                    }
                  }
                ],
                "onError": {
                  "target": "resting",
                  "actions": {
                    "type": "say"
                  }
                }
              }
            },
            "awaitingApproval": {
              "initial": "showing",
              "exit": "forgetQr",
              "on": {
                "qr.cancel": "cancelling",
                "qr.renewed": {
                  "actions": {
                    "type": "storeQr"
                  }
                }
              },
              "after": {
                "qrLifetime": {
                  "target": "resting",
                  "actions": {
                    "type": "say"
                  }
                }
              },
              "invoke": [
                {
                  "id": "watchQr",
                  "src": "watchQr"
                },
                {
                  "id": "completeQr",
                  "src": "completeQr",
                  "onDone": [
                    {
                      "guard": {
                        "type": "isConnected"
                      },
                      "target": "#telegram.connected",
                      "actions": [
                        {
                          "type": "storeLogin"
                        },
                        {
                          "type": "say"
                        }
                      ]
                    },
                    {
                      "guard": {
                        "type": "isPasswordNeeded"
                      },
                      "target": "awaitingPassword",
                      "actions": [
                        {
                          "type": "storeHint"
                        },
                        {
                          "type": "say"
                        }
                      ]
                    },
                    {
                      "guard": {
                        "type": "isExpired"
                      },
                      "target": "resting",
                      "actions": {
                        "type": "say"
                      }
                    },
                    {
                      "target": "resting",
                      "actions": {
                        "type": "sayRefusal"
                      }
                    }
                  ],
                  "onError": {
                    "target": "resting",
                    "actions": [
                      {
                        "type": "sayUnanswered"
                      },
                      "checkConnection"
                    ]
                  }
                }
              ],
              "states": {
                "showing": {
                  "after": {
                    "qrRenewal": "renewing"
                  }
                },
                "renewing": {
                  "invoke": {
                    "id": "renewQr",
                    "src": "renewQr",
                    "onDone": [
                      {
                        "guard": {
                          "type": "isUnavailable"
                        },
                        "target": "unrenewed"
                      },
                      {
                        "target": "showing",
                        "actions": {
                          "type": "storeQr"
                        }
                      }
                    ],
                    "onError": "showing"
                  }
                },
                "unrenewed": {}
              }
            },
            "awaitingPassword": {
              "on": {
                "password.submit": {
                  "target": "checkingPassword",
                  "actions": "forgetMessage"
                },
                "qr.cancel": {
                  "target": "cancelling",
                  "actions": "forgetMessage"
                },
                "connection.seen": {
                  "guard": {
                    "type": "hasConnection"
                  },
                  "target": "#telegram.connected",
                  "actions": [
                    {
                      "type": "storeStatus"
                    },
                    {
                      "type": "say"
                    }
                  ]
                }
              }
            },
            "checkingPassword": {
              "tags": "busy",
              "on": {
                "qr.cancel": "cancelling"
              },
              "invoke": {
                "id": "checkQrPassword",
                "src": "checkPassword",
                "onDone": [
                  {
                    "guard": {
                      "type": "isConnected"
                    },
                    "target": "#telegram.connected",
                    "actions": [
                      {
                        "type": "storeLogin"
                      },
                      {
                        "type": "say"
                      }
                    ]
                  },
                  {
                    "target": "awaitingPassword",
                    "actions": {
                      "type": "sayRefusal"
                    }
                  }
                ],
                "onError": {
                  "target": "awaitingPassword",
                  "actions": [
                    {
                      "type": "sayUnanswered"
                    },
                    "checkConnection"
                  ]
                }
              }
            },
            "cancelling": {
              "on": {
                "tab.choose": {
                  "guard": {
                    "type": "isTab"
                  },
                  "target": "#telegram.disconnected.code",
                  "actions": "forgetMessage"
                }
              },
              "after": {
                "cancelPatience": "resting"
              },
              "invoke": {
                "id": "cancelQr",
                "src": "cancelQr",
                "onDone": "resting",
                "onError": {
                  "target": "resting",
                  "actions": {
                    "type": "reportFailure"
                  }
                }
              }
            }
          }
        }
      }
    },
    "connected": {
      "initial": "settled",
      "entry": [
        "forgetUnchecked",
        {
          "type": "rememberPhone"
        }
      ],
      "states": {
        "settled": {
          "on": {
            "account.disconnect": {
              "target": "disconnecting",
              "actions": "forgetMessage"
            },
            "connection.seen": {
              "guard": {
                "type": "hasNoConnection"
              },
              "target": "#telegram.disconnected",
              "actions": {
                "type": "say"
              }
            }
          }
        },
        "disconnecting": {
          "tags": "busy",
          "invoke": {
            "id": "disconnect",
            "src": "disconnect",
            "onDone": [
              {
                "guard": {
                  "type": "isRefused"
                },
                "target": "settled",
                "actions": {
                  "type": "sayRefusal"
                }
              },
              {
                "target": "#telegram.disconnected",
                "actions": [
                  "forgetLogin",
                  "forgetRememberedPhone",
                  {
                    "type": "say"
                  }
                ]
              }
            ],
            "onError": {
              "target": "checkingDisconnect",
              "actions": {
                "type": "sayUnanswered"
              }
            }
          }
        },
        "checkingDisconnect": {
          "tags": "busy",
          "invoke": {
            "id": "checkDisconnect",
            "src": "checkStatus",
            "onDone": [
              {
                "guard": {
                  "type": "hasConnection"
                },
                "target": "settled"
              },
              {
                "target": "#telegram.disconnected",
                "actions": [
                  "forgetLogin",
                  "forgetRememberedPhone",
                  {
                    "type": "say"
                  }
                ]
              }
            ],
            "onError": {
              "target": "settled",
              "actions": {
                "type": "reportFailure"
              }
            }
          }
        }
      }
    }
  }
});
