import { type SnapshotFrom, assertEvent } from "xstate";
import { createChart, withEvent, withOutput } from "../kit/chart.ts";
import { type Page, reportFailure } from "../kit/page.ts";
import {
  type TelegramParts,
  connected,
  connectedBy,
  connectionSeenDuringLogin,
  connectionSeen,
  disconnected,
  failedWith,
  keepStep,
  refused,
  resumedLogin,
  statusOf,
  telegramSetup,
  toCodeTab,
  toQrTab,
  unanswered,
  MAY_BE_DISCONNECTED,
} from "./telegram.setup.ts";

const statusFailed = reportFailure("the Telegram status check failed");
const rememberConnected = {
  type: "rememberPhone",
  params: ({ context }: { context: { connectedPhone: string | null } }) => ({ phone: context.connectedPhone }),
} as const;

/**
 * Connects the user's own Telegram account, by code or by QR. Each leaf state is one step on the screen. Code and password pass from
 * event to actor and are never stored in context. The QR code's address is a credential too and is kept only while it is shown.
 */
export const createTelegram = (page: Page, parts: TelegramParts) =>
  telegramSetup(page, parts).createMachine({
    id: "telegram",
    context: ({ input }) => ({
      phone: "",
      connectedPhone: input.phone,
      pending: input.login,
      qrUrl: null,
      passwordHint: null,
      message: null,
      isUnchecked: false,
    }),
    invoke: { id: "watchConnection", src: "watchConnection" },
    initial: "checkingStatus",
    states: {
      checkingStatus: {
        entry: "forgetUnchecked",
        // The pending response may be older than the event.
        on: { "connection.seen": { target: "checkingStatus", reenter: true } },
        invoke: {
          id: "checkStatus",
          src: "checkStatus",
          onDone: [
            {
              guard: withOutput("hasConnection"),
              target: "connected",
              actions: withOutput("storeStatus"),
            },
            ...resumedLogin(),
            { target: "disconnected", actions: withOutput("storeLastPhone") },
          ],
          onError: [
            ...resumedLogin(statusFailed),
            {
              target: "disconnected",
              actions: ["markUnchecked", statusFailed],
            },
          ],
        },
      },
      disconnected: {
        initial: "code",
        states: {
          code: {
            initial: "awaitingPhone",
            states: {
              awaitingPhone: {
                on: {
                  "reading.retry": { guard: "isUnchecked", target: "#telegram.checkingStatus" },
                  "phone.submit": { target: "requestingCode", actions: ["forgetMessage", withEvent("storePhone")] },
                  "tab.choose": toQrTab,
                  "connection.seen": connectionSeen,
                },
              },
              requestingCode: {
                tags: "busy",
                // Switching tabs cancels the request, so that a hanging call does not lock the form.
                on: { "tab.choose": toQrTab },
                invoke: {
                  id: "requestCode",
                  src: "requestCode",
                  input: ({ context }) => ({ phone: context.phone }),
                  onDone: [
                    {
                      guard: withOutput("isRefused"),
                      target: "awaitingPhone",
                      actions: refused("sendCodeFailed"),
                    },
                    { target: "awaitingCode", actions: keepStep("code") },
                  ],
                  onError: { target: "awaitingPhone", actions: failedWith("sendCodeFailed") },
                },
              },
              awaitingCode: {
                on: {
                  "code.submit": { target: "checkingCode", actions: "forgetMessage" },
                  "login.restart": { target: "awaitingPhone", actions: ["forgetMessage", "forgetLoginStep"] },
                  "connection.seen": connectionSeenDuringLogin,
                },
              },
              checkingCode: {
                tags: "busy",
                invoke: {
                  id: "checkCode",
                  src: "checkCode",
                  input: ({ context, event }) => {
                    assertEvent(event, "code.submit");
                    return { phone: context.phone, code: event.code };
                  },
                  onDone: [
                    {
                      guard: withOutput("isPasswordNeeded"),
                      target: "awaitingPassword",
                      actions: [withOutput("storeHint"), keepStep("password")],
                    },
                    connected,
                    {
                      guard: withOutput("isOver"),
                      target: "awaitingCode",
                      actions: [refused("codeRefused"), "forgetLoginStep"],
                    },
                    { target: "awaitingCode", actions: refused("codeRefused") },
                  ],
                  onError: { target: "awaitingCode", actions: unanswered("codeRefused") },
                },
              },
              awaitingPassword: {
                on: {
                  "password.submit": { target: "checkingPassword", actions: "forgetMessage" },
                  "login.restart": { target: "awaitingPhone", actions: ["forgetMessage", "forgetLoginStep"] },
                  "connection.seen": connectionSeenDuringLogin,
                },
              },
              checkingPassword: {
                tags: "busy",
                invoke: {
                  id: "checkPassword",
                  src: "checkPassword",
                  input: ({ event }) => {
                    assertEvent(event, "password.submit");
                    return { password: event.password };
                  },
                  onDone: [
                    connected,
                    {
                      guard: withOutput("isOver"),
                      target: "awaitingPassword",
                      actions: [refused("passwordRefused"), "forgetLoginStep"],
                    },
                    { target: "awaitingPassword", actions: refused("passwordRefused") },
                  ],
                  onError: { target: "awaitingPassword", actions: unanswered("passwordRefused") },
                },
              },
            },
          },
          qr: {
            initial: "resting",
            // The phone typed on the other tab may belong to another account.
            entry: { type: "storePhone", params: { phone: "" } },
            states: {
              resting: {
                on: {
                  "qr.start": { target: "starting", actions: "forgetMessage" },
                  "tab.choose": toCodeTab,
                  "connection.seen": connectionSeen,
                },
              },
              starting: {
                tags: "busy",
                invoke: {
                  id: "startQr",
                  src: "startQr",
                  onDone: [
                    {
                      guard: withOutput("isRefused"),
                      target: "resting",
                      actions: refused("qrStartFailed"),
                    },
                    { target: "awaitingApproval", actions: withOutput("storeQr") },
                  ],
                  onError: { target: "resting", actions: failedWith("qrStartFailed") },
                },
              },
              awaitingApproval: {
                initial: "showing",
                exit: "forgetQr",
                on: {
                  "qr.cancel": "cancelling",
                  "qr.renewed": { actions: withEvent("storeQr") },
                },
                after: { qrLifetime: { target: "resting", actions: failedWith("qrExpired") } },
                invoke: [
                  { id: "watchQr", src: "watchQr" },
                  {
                    id: "completeQr",
                    src: "completeQr",
                    onDone: [
                      connectedBy("connectedByQr"),
                      {
                        guard: withOutput("isPasswordNeeded"),
                        target: "awaitingPassword",
                        actions: [
                          withOutput("storeHint"),
                          { type: "storeMessage", params: { tone: "info", text: "qrPasswordNeeded" } },
                        ],
                      },
                      {
                        guard: withOutput("isExpired"),
                        target: "resting",
                        actions: failedWith("qrExpired"),
                      },
                      { target: "resting", actions: refused("qrFailed") },
                    ],
                    onError: { target: "resting", actions: unanswered("qrFailed") },
                  },
                ],
                states: {
                  showing: { after: { qrRenewal: "renewing" } },
                  renewing: {
                    invoke: {
                      id: "renewQr",
                      src: "renewQr",
                      onDone: [
                        { guard: withOutput("isUnavailable"), target: "unrenewed" },
                        { target: "showing", actions: withOutput("storeQr") },
                      ],
                      onError: "showing",
                    },
                  },
                  unrenewed: {},
                },
              },
              awaitingPassword: {
                on: {
                  "password.submit": { target: "checkingPassword", actions: "forgetMessage" },
                  "qr.cancel": { target: "cancelling", actions: "forgetMessage" },
                  "connection.seen": connectionSeenDuringLogin,
                },
              },
              checkingPassword: {
                tags: "busy",
                on: { "qr.cancel": "cancelling" },
                invoke: {
                  id: "checkQrPassword",
                  src: "checkPassword",
                  input: ({ event }) => {
                    assertEvent(event, "password.submit");
                    return { password: event.password };
                  },
                  onDone: [
                    connectedBy("connectedByQrAndPassword"),
                    { target: "awaitingPassword", actions: refused("qrPasswordRefused") },
                  ],
                  onError: { target: "awaitingPassword", actions: unanswered("qrPasswordRefused") },
                },
              },
              // A new attempt waits for the end of the old one, which a late cancel would hit, but only for a limited time.
              cancelling: {
                on: { "tab.choose": toCodeTab },
                after: { cancelPatience: "resting" },
                invoke: {
                  id: "cancelQr",
                  src: "cancelQr",
                  onDone: "resting",
                  onError: {
                    target: "resting",
                    actions: reportFailure("the QR login was not cancelled at the server"),
                  },
                },
              },
            },
          },
        },
      },
      connected: {
        initial: "settled",
        entry: ["forgetUnchecked", "forgetLoginStep", rememberConnected],
        states: {
          settled: {
            on: {
              "account.disconnect": { target: "disconnecting", actions: "forgetMessage" },
              "connection.seen": [
                {
                  guard: { type: "hasNoConnection", params: statusOf },
                  target: "#telegram.disconnected",
                  actions: failedWith("connectionLost"),
                },
                // Another account may have been connected elsewhere.
                { actions: [{ type: "storeStatus", params: statusOf }, rememberConnected] },
              ],
            },
          },
          disconnecting: {
            tags: "busy",
            invoke: {
              id: "disconnect",
              src: "disconnect",
              onDone: [
                {
                  guard: withOutput("isRefused"),
                  target: "settled",
                  actions: refused("disconnectFailed"),
                },
                disconnected,
              ],
              onError: {
                target: "checkingDisconnect",
                actions: {
                  type: "storeUnanswered",
                  params: ({ event }) => ({
                    text: "disconnectFailed",
                    error: event.error,
                    unknown: MAY_BE_DISCONNECTED,
                  }),
                },
              },
            },
          },
          /** Without a response, the account may be disconnected. */
          checkingDisconnect: {
            tags: "busy",
            invoke: {
              id: "checkDisconnect",
              src: "checkStatus",
              onDone: [{ guard: withOutput("hasConnection"), target: "settled" }, disconnected],
              onError: { target: "settled", actions: statusFailed },
            },
          },
        },
      },
    },
  });

export const Telegram = createChart<typeof createTelegram>("telegram");

type TelegramSnapshot = SnapshotFrom<typeof createTelegram>;
type CodeStep = "phone" | "code" | "password";
type QrStep = "start" | "approval" | "password";

export const selectScreen = (telegram: TelegramSnapshot): "checking" | "connected" | "disconnected" => {
  if (telegram.matches("checkingStatus")) return "checking";
  return telegram.matches("connected") ? "connected" : "disconnected";
};

export const selectTab = (telegram: TelegramSnapshot): "code" | "qr" =>
  telegram.matches({ disconnected: "qr" }) ? "qr" : "code";

export const selectCodeStep = (telegram: TelegramSnapshot): CodeStep => {
  const isIn = (state: "awaitingCode" | "checkingCode" | "awaitingPassword" | "checkingPassword") =>
    telegram.matches({ disconnected: { code: state } });
  if (isIn("awaitingCode") || isIn("checkingCode")) return "code";
  return isIn("awaitingPassword") || isIn("checkingPassword") ? "password" : "phone";
};

export const selectQrStep = (telegram: TelegramSnapshot): QrStep => {
  if (telegram.matches({ disconnected: { qr: "awaitingApproval" } })) return "approval";
  const isPassword =
    telegram.matches({ disconnected: { qr: "awaitingPassword" } }) ||
    telegram.matches({ disconnected: { qr: "checkingPassword" } });
  return isPassword ? "password" : "start";
};

/** Whether 'Use Code' is disabled: the screen is busy, waits for the QR's approval or asks for its password. */
export const selectIsCodeTabDisabled = (telegram: TelegramSnapshot): boolean =>
  telegram.hasTag("busy") || selectQrStep(telegram) !== "start";

/** Whether 'Use QR' is disabled: the code flow is past its first step. */
export const selectIsQrTabDisabled = (telegram: TelegramSnapshot): boolean => selectCodeStep(telegram) !== "phone";

/** The initial phone number: as typed, or else of the previously connected account. */
export const selectSuggestedPhone = ({ context: { phone, connectedPhone } }: TelegramSnapshot) =>
  phone || (connectedPhone ?? "");

/** The problem of the current step's field. */
export const selectFieldProblem = ({ context: { message } }: TelegramSnapshot) =>
  message?.isOfField ? (message.detail ?? undefined) : undefined;
