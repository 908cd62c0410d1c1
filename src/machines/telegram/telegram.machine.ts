import { type ActorRefFrom, type SnapshotFrom, assertEvent, assign, setup } from "xstate";
import { QR_TIMEOUT_SECONDS } from "../../../domain/limits.ts";
import type { ReadingEvent } from "../kit/reading.ts";
import { reportFailure, unreported } from "../kit/reporting.ts";
import {
  type CodeRequestOutcome,
  type ConnectionStatus,
  type DisconnectOutcome,
  type LoginOutcome,
  type QrRenewal,
  type QrStartOutcome,
  placeholderActors,
} from "./telegram.actors.ts";
import { TELEGRAM_TEXTS } from "./telegram.texts.ts";

export type Message = { tone: "error" | "success" | "info"; text: string; detail: string | null };
type Tab = "code" | "qr";
type TextKey = keyof typeof TELEGRAM_TEXTS;
type Outcome = CodeRequestOutcome | LoginOutcome | QrStartOutcome | QrRenewal | DisconnectOutcome;

// What the app fills in by provide().
const rememberPhone: (_: unknown, params: { phone: string | null }) => void = () => {};

const outputOf = <Output>({ event }: { event: { output: Output } }) => event.output;
const statusOf = ({ event }: { event: { status: ConnectionStatus } }) => event.status;
const failed = (text: TextKey) => ({ type: "say" as const, params: { tone: "error" as const, text } });
const refused = (text: TextKey) => ({
  type: "sayRefusal" as const,
  params: ({ event }: { event: { output: Outcome } }) => ({ text, outcome: event.output }),
});

/**
 * Connects the person's own Telegram account, by code or by QR. Each leaf is one thing on the screen.
 * The code and the password pass from event to actor and never rest in context; the QR's address, itself a
 * credential, rests there only while it is shown.
 */
export const telegramMachine = setup({
  types: {
    input: {} as { phone: string | null },
    context: {} as {
      /** the phone typed into the code flow */
      phone: string;
      connectedPhone: string | null;
      qrUrl: string | null;
      passwordHint: string | null;
      message: Message | null;
      /** Whether an account is connected could not be read; it does not mean that none is. */
      isUnchecked: boolean;
    },
    events: {} as
      | ReadingEvent
      | { type: "tab.choose"; tab: Tab }
      | { type: "phone.submit"; phone: string }
      | { type: "code.submit"; code: string }
      | { type: "password.submit"; password: string }
      | { type: "login.restart" }
      | { type: "qr.start" }
      | { type: "qr.cancel" }
      | { type: "qr.renewed"; qrUrl: string }
      | { type: "account.disconnect" }
      | { type: "connection.seen"; status: ConnectionStatus },
    tags: {} as "busy",
  },
  actors: placeholderActors,
  actions: {
    storePhone: assign((_, params: { phone: string }) => ({ phone: params.phone })),
    storeQr: assign((_, shown: Outcome | { qrUrl: string }) => ("qrUrl" in shown ? { qrUrl: shown.qrUrl } : {})),
    forgetQr: assign({ qrUrl: null }),
    storeHint: assign((_, outcome: LoginOutcome) => ({
      passwordHint: outcome.kind === "passwordNeeded" ? outcome.hint : null,
    })),
    storeStatus: assign(({ context }, status: ConnectionStatus) => ({
      connectedPhone: status.phone ?? context.connectedPhone,
    })),
    /** An answer without a phone leaves the one typed, if this was the code flow. */
    storeLogin: assign(({ context }, outcome: LoginOutcome) => ({
      connectedPhone: (outcome.kind === "connected" ? outcome.phone : null) ?? (context.phone || null),
    })),
    forgetLogin: assign({ phone: "", connectedPhone: null, passwordHint: null }),
    say: assign((_, params: { tone: Message["tone"]; text: TextKey }) => ({
      message: { tone: params.tone, text: TELEGRAM_TEXTS[params.text], detail: null },
    })),
    sayRefusal: assign((_, params: { text: TextKey; outcome: Outcome }) => ({
      message: {
        tone: "error" as const,
        text: TELEGRAM_TEXTS[params.text],
        detail: params.outcome.kind === "refused" ? params.outcome.detail : null,
      },
    })),
    forgetMessage: assign({ message: null }),
    markUnchecked: assign({ isUnchecked: true }),
    forgetUnchecked: assign({ isUnchecked: false }),
    rememberPhone,
    forgetRememberedPhone: () => {},
    reportFailure: unreported,
  },
  guards: {
    isRefused: (_, outcome: Outcome) => outcome.kind === "refused",
    isPasswordNeeded: (_, outcome: Outcome) => outcome.kind === "passwordNeeded",
    isExpired: (_, outcome: Outcome) => outcome.kind === "expired",
    isConnected: (_, outcome: Outcome) => outcome.kind === "connected",
    isUnavailable: (_, renewal: QrRenewal) => renewal.kind === "unavailable",
    isUnchecked: ({ context }) => context.isUnchecked,
    hasConnection: (_, status: ConnectionStatus) => status.connected,
    hasNoConnection: (_, status: ConnectionStatus) => !status.connected,
    isTab: ({ event }, params: { tab: Tab }) => event.type === "tab.choose" && event.tab === params.tab,
  },
  delays: {
    // The server ends the attempt at 120 s; the leeway lets its own answer come first.
    qrLifetime: (QR_TIMEOUT_SECONDS + 5) * 1000,
    qrRenewal: 5_000,
    cancelPatience: 3_000,
  },
}).createMachine({
  id: "telegram",
  context: ({ input }) => ({
    phone: "",
    connectedPhone: input.phone,
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
      invoke: {
        id: "checkStatus",
        src: "checkStatus",
        onDone: [
          {
            guard: { type: "hasConnection", params: outputOf },
            target: "connected",
            actions: { type: "storeStatus", params: outputOf },
          },
          { target: "disconnected" },
        ],
        onError: {
          target: "disconnected",
          actions: ["markUnchecked", reportFailure("the Telegram status check failed")],
        },
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
                "phone.submit": {
                  target: "requestingCode",
                  actions: ["forgetMessage", { type: "storePhone", params: ({ event }) => event }],
                },
                "tab.choose": {
                  guard: { type: "isTab", params: { tab: "qr" } },
                  target: "#telegram.disconnected.qr",
                  actions: "forgetMessage",
                },
                "connection.seen": {
                  guard: { type: "hasConnection", params: statusOf },
                  target: "#telegram.connected",
                  actions: ["forgetMessage", { type: "storeStatus", params: statusOf }],
                },
              },
            },
            requestingCode: {
              tags: "busy",
              // Leaving for the other tab gives the request up: a call that hangs must not lock the person in.
              on: {
                "tab.choose": { guard: { type: "isTab", params: { tab: "qr" } }, target: "#telegram.disconnected.qr" },
              },
              invoke: {
                id: "requestCode",
                src: "requestCode",
                input: ({ context }) => ({ phone: context.phone }),
                onDone: [
                  {
                    guard: { type: "isRefused", params: outputOf },
                    target: "awaitingPhone",
                    actions: refused("sendCodeFailed"),
                  },
                  { target: "awaitingCode" },
                ],
                onError: { target: "awaitingPhone", actions: failed("sendCodeFailed") },
              },
            },
            awaitingCode: {
              on: {
                "code.submit": { target: "checkingCode", actions: "forgetMessage" },
                "login.restart": { target: "awaitingPhone", actions: "forgetMessage" },
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
                    guard: { type: "isPasswordNeeded", params: outputOf },
                    target: "awaitingPassword",
                    actions: { type: "storeHint", params: outputOf },
                  },
                  {
                    guard: { type: "isConnected", params: outputOf },
                    target: "#telegram.connected",
                    actions: { type: "storeLogin", params: outputOf },
                  },
                  { target: "awaitingCode", actions: refused("codeRefused") },
                ],
                onError: { target: "awaitingCode", actions: failed("codeRefused") },
              },
            },
            awaitingPassword: {
              on: {
                "password.submit": { target: "checkingPassword", actions: "forgetMessage" },
                "login.restart": { target: "awaitingPhone", actions: "forgetMessage" },
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
                  {
                    guard: { type: "isConnected", params: outputOf },
                    target: "#telegram.connected",
                    actions: { type: "storeLogin", params: outputOf },
                  },
                  { target: "awaitingPassword", actions: refused("passwordRefused") },
                ],
                onError: { target: "awaitingPassword", actions: failed("passwordRefused") },
              },
            },
          },
        },
        qr: {
          initial: "resting",
          // The phone typed into the other tab is not this account's.
          entry: { type: "storePhone", params: { phone: "" } },
          states: {
            resting: {
              on: {
                "qr.start": { target: "starting", actions: "forgetMessage" },
                "tab.choose": {
                  guard: { type: "isTab", params: { tab: "code" } },
                  target: "#telegram.disconnected.code",
                  actions: "forgetMessage",
                },
                "connection.seen": {
                  guard: { type: "hasConnection", params: statusOf },
                  target: "#telegram.connected",
                  actions: ["forgetMessage", { type: "storeStatus", params: statusOf }],
                },
              },
            },
            starting: {
              tags: "busy",
              invoke: {
                id: "startQr",
                src: "startQr",
                onDone: [
                  {
                    guard: { type: "isRefused", params: outputOf },
                    target: "resting",
                    actions: refused("qrStartFailed"),
                  },
                  { target: "awaitingApproval", actions: { type: "storeQr", params: outputOf } },
                ],
                onError: { target: "resting", actions: failed("qrStartFailed") },
              },
            },
            awaitingApproval: {
              initial: "showing",
              exit: "forgetQr",
              on: {
                "qr.cancel": "cancelling",
                "qr.renewed": { actions: { type: "storeQr", params: ({ event }) => event } },
              },
              after: { qrLifetime: { target: "resting", actions: failed("qrExpired") } },
              invoke: [
                { id: "watchQr", src: "watchQr" },
                {
                  id: "completeQr",
                  src: "completeQr",
                  onDone: [
                    {
                      guard: { type: "isConnected", params: outputOf },
                      target: "#telegram.connected",
                      actions: [
                        { type: "storeLogin", params: outputOf },
                        { type: "say", params: { tone: "success", text: "connectedByQr" } },
                      ],
                    },
                    {
                      guard: { type: "isPasswordNeeded", params: outputOf },
                      target: "awaitingPassword",
                      actions: [
                        { type: "storeHint", params: outputOf },
                        { type: "say", params: { tone: "info", text: "qrPasswordNeeded" } },
                      ],
                    },
                    {
                      guard: { type: "isExpired", params: outputOf },
                      target: "resting",
                      actions: failed("qrExpired"),
                    },
                    { target: "resting", actions: refused("qrFailed") },
                  ],
                  onError: { target: "resting", actions: failed("qrFailed") },
                },
              ],
              states: {
                showing: { after: { qrRenewal: "renewing" } },
                renewing: {
                  invoke: {
                    id: "renewQr",
                    src: "renewQr",
                    onDone: [
                      { guard: { type: "isUnavailable", params: outputOf }, target: "unrenewed" },
                      { target: "showing", actions: { type: "storeQr", params: outputOf } },
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
                  {
                    guard: { type: "isConnected", params: outputOf },
                    target: "#telegram.connected",
                    actions: [
                      { type: "storeLogin", params: outputOf },
                      { type: "say", params: { tone: "success", text: "connectedByQrAndPassword" } },
                    ],
                  },
                  { target: "awaitingPassword", actions: refused("qrPasswordRefused") },
                ],
                onError: { target: "awaitingPassword", actions: failed("qrPasswordRefused") },
              },
            },
            // A new attempt waits for the old one's end, or the late cancel would hit it; but never for long.
            cancelling: {
              on: {
                "tab.choose": {
                  guard: { type: "isTab", params: { tab: "code" } },
                  target: "#telegram.disconnected.code",
                },
              },
              after: { cancelPatience: "resting" },
              invoke: {
                id: "cancelQr",
                src: "cancelQr",
                onDone: "resting",
                onError: { target: "resting", actions: reportFailure("the QR login was not cancelled at the server") },
              },
            },
          },
        },
      },
    },
    connected: {
      initial: "settled",
      entry: [
        "forgetUnchecked",
        { type: "rememberPhone", params: ({ context }) => ({ phone: context.connectedPhone }) },
      ],
      states: {
        settled: {
          on: {
            "account.disconnect": { target: "disconnecting", actions: "forgetMessage" },
            "connection.seen": {
              guard: { type: "hasNoConnection", params: statusOf },
              target: "#telegram.disconnected",
              actions: failed("connectionLost"),
            },
          },
        },
        disconnecting: {
          tags: "busy",
          invoke: {
            id: "disconnect",
            src: "disconnect",
            onDone: [
              {
                guard: { type: "isRefused", params: outputOf },
                target: "settled",
                actions: refused("disconnectFailed"),
              },
              {
                target: "#telegram.disconnected",
                actions: [
                  "forgetLogin",
                  "forgetRememberedPhone",
                  { type: "say", params: { tone: "success", text: "disconnected" } },
                ],
              },
            ],
            onError: { target: "settled", actions: failed("disconnectFailed") },
          },
        },
      },
    },
  },
});

export type TelegramRef = ActorRefFrom<typeof telegramMachine>;
export type TelegramSnapshot = SnapshotFrom<typeof telegramMachine>;
