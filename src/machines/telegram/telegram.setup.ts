import { msg } from "@lingui/core/runtime-macro";
import * as v from "valibot";
import { type AnyEventObject, assign, fromCallback, fromPromise, sendTo, setup } from "xstate";
import type { UiText, UiTextOrString } from "../../../domain/ui-text.ts";
import { QR_TIMEOUT_SECONDS } from "../../../domain/limits.ts";
import { failureOf } from "../../../domain/problem.ts";
import { createTelegramGateway } from "../../services/telegram.ts";
import { withOutput } from "../kit/chart.ts";
import { type ReadingEvent, fetching } from "../kit/loading.ts";
import { type Page, createReporter } from "../kit/page.ts";
import { failureMessage, writing } from "../kit/writing.ts";
import {
  type CodeRequestOutcome,
  type ConnectionStatus,
  type DisconnectOutcome,
  type LoginAnswer,
  type LoginOutcome,
  type PendingLogin,
  type QrRenewal,
  type QrStartOutcome,
  acceptedOnSuccess,
  acceptedUnlessRefused,
  loginFailureOf,
  outcomeOf,
  passwordNeeded,
  refusalOf,
  mentionsPassword,
} from "./telegram.outcomes.ts";

/** The connect screen's texts, to the letter. */
const TELEGRAM_TEXTS = {
  sendCodeFailed: msg`❌ Failed to send code. Try again.`,
  codeRefused: msg`❌ Invalid code or session expired.`,
  passwordRefused: msg`❌ Incorrect password. Please try again.`,
  qrStartFailed: msg`❌ Failed to start QR login.`,
  qrExpired: msg`⏰ QR code expired. Please try again.`,
  qrPasswordNeeded: msg`🔐 This account requires your Telegram password to finish login.`,
  qrFailed: msg`❌ QR login failed. Please try again.`,
  qrPasswordRefused: msg`❌ Could not complete 2FA. Try again.`,
  disconnectFailed: msg`❌ Failed to disconnect.`,
  connectedByQr: msg`✅ Connected via QR.`,
  connectedByQrAndPassword: msg`✅ Connected via QR + 2FA.`,
  disconnected: msg`🔌 Disconnected from Telegram.`,
  connectedElsewhere: msg`✅ Telegram was connected in another window.`,
  connectionLost: msg`⚠️ Telegram ended this connection. Connect again to go on.`,
} as const;

/** Shown after an attempt with unknown outcome. */
const MAY_BE_CONNECTED = msg`If Telegram is connected after all, this page will show it.`;
export const MAY_BE_DISCONNECTED = msg`Telegram may be disconnected.`;

export type TelegramParts = {
  telegram?: Omit<ReturnType<typeof createTelegramGateway>, "fetchAccount" | "saveDailyCap" | "resumeSending">;
  /** Stores the connected phone, and nothing else of the account. */
  phoneMemory: { write: (phone: string) => void; clear: () => void };
  /** Stores a login by code across reloads. */
  loginMemory: { write: (login: PendingLogin) => void; clear: () => void };
};

const QrNews = v.object({ qr_url: v.pipe(v.string(), v.minLength(1)) });

export type Message = {
  tone: "error" | "success" | "info";
  text: UiText;
  detail: UiTextOrString | null;
  /** The detail is shown at the field. */
  isOfField?: true;
  /** The attempt got no response: it may have connected the account. */
  isUnanswered?: true;
};
type Tab = "code" | "qr";
type TextKey = keyof typeof TELEGRAM_TEXTS;
type Outcome = CodeRequestOutcome | LoginOutcome | QrStartOutcome | QrRenewal | DisconnectOutcome;

export const statusOf = ({ event }: { event: { status: ConnectionStatus } }) => event.status;
export const failedWith = (text: TextKey) => ({
  type: "storeMessage" as const,
  params: { tone: "error" as const, text },
});
/** After a call with unknown outcome: says so, and checks the connection. */
export const unanswered = (text: TextKey) =>
  [
    {
      type: "storeUnanswered",
      params: ({ event }: { event: { error: unknown } }) => ({ text, error: event.error, unknown: MAY_BE_CONNECTED }),
    },
    "checkConnection",
  ] as const;
export const refused = (text: TextKey) => ({
  type: "storeRefusal" as const,
  params: ({ event }: { event: { output: Outcome } }) => ({ text, outcome: event.output }),
});

const storeLogin = withOutput("storeLogin");
/** A successful login; by QR it is announced too. */
export const connected = {
  guard: withOutput("isConnected"),
  target: "#telegram.connected",
  actions: storeLogin,
} as const;
export const connectedBy = (text: TextKey) => ({
  ...connected,
  actions: [storeLogin, { type: "storeMessage" as const, params: { tone: "success" as const, text } }],
});
/** The account was connected elsewhere. */
export const connectionSeen = {
  guard: { type: "hasConnection", params: statusOf },
  target: "#telegram.connected",
  actions: ["forgetMessage", { type: "storeStatus", params: statusOf }],
} as const;
/** The account was connected during a login on this page, which ends. After an unanswered attempt the connection is its own. */
export const connectionSeenDuringLogin = [
  { ...connectionSeen, guard: { type: "isOwnConnection", params: statusOf } },
  {
    ...connectionSeen,
    actions: [
      { type: "storeStatus", params: statusOf },
      { type: "storeMessage", params: { tone: "success", text: "connectedElsewhere" } },
    ],
  },
] as const;

/** The account was disconnected from this page. */
export const disconnected = {
  target: "#telegram.disconnected",
  actions: [
    "forgetLogin",
    "forgetRememberedPhone",
    { type: "storeMessage" as const, params: { tone: "success" as const, text: "disconnected" as const } },
  ],
} as const;

/** Stores the login at this step for a reload. */
export const keepStep = (step: PendingLogin["step"]) => ({
  type: "rememberLogin" as const,
  params: ({ context: { phone, passwordHint } }: { context: { phone: string; passwordHint: string | null } }) => ({
    phone,
    step,
    hint: step === "password" ? passwordHint : null,
  }),
});
/** Returns to the step at which a reload interrupted a login by code. */
export const resumedLogin = <const Actions extends readonly unknown[]>(...actions: Actions) =>
  [
    {
      guard: { type: "isPendingAt", params: { step: "code" } },
      target: "disconnected.code.awaitingCode",
      actions: ["resumeLogin", ...actions],
    },
    {
      guard: { type: "isPendingAt", params: { step: "password" } },
      target: "disconnected.code.awaitingPassword",
      actions: ["resumeLogin", ...actions],
    },
  ] as const;

const tab = <const To extends Tab>(to: To) =>
  ({
    guard: { type: "isTab", params: { tab: to } },
    target: `#telegram.disconnected.${to}`,
    actions: "forgetMessage",
  }) as const;
export const toCodeTab = tab("code");
export const toQrTab = tab("qr");

// A login that is running continues after the user leaves the screen.
const login = (refused: UiText) => ({
  done: (outcome: LoginOutcome) =>
    outcome.kind === "connected" ? msg`✅ Connected to Telegram.` : { failed: refused },
  failed: { refused, unknown: msg`Telegram may be connected.` },
});

/** The actors, actions and guards of the chart. A refusal is an output of its actor, an outage is an error. */
export const telegramSetup = (
  page: Page,
  { telegram = createTelegramGateway(page.http), phoneMemory, loginMemory }: TelegramParts,
) =>
  setup({
    types: {
      /** `login`: a login that a reload interrupted. */
      input: {} as { phone: string | null; login: PendingLogin | null },
      context: {} as {
        /** the phone typed into the code flow */
        phone: string;
        connectedPhone: string | null;
        /** the login that a reload interrupted, until the connection is known */
        pending: PendingLogin | null;
        qrUrl: string | null;
        passwordHint: string | null;
        message: Message | null;
        /** The connection could not be read, so an account may be connected. */
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
    actors: {
      checkStatus: fetching(telegram.fetchStatus),
      requestCode: fromPromise<CodeRequestOutcome, { phone: string }>(({ input, signal }) =>
        outcomeOf(telegram.sendCode(input, signal), (): CodeRequestOutcome => ({ kind: "codeSent" }), refusalOf),
      ),
      checkCode: writing(
        page,
        (input: { phone: string; code: string }) =>
          outcomeOf(telegram.verifyCode(input), acceptedUnlessRefused, (error) =>
            mentionsPassword(failureOf(error).body) ? passwordNeeded(failureOf(error).body) : loginFailureOf(error),
          ),
        login(msg`The Telegram login was not finished.`),
      ),
      checkPassword: writing(
        page,
        (input: { password: string }) =>
          outcomeOf<LoginAnswer, LoginOutcome>(telegram.verifyPassword(input), acceptedOnSuccess, refusalOf),
        login(TELEGRAM_TEXTS.passwordRefused),
      ),
      startQr: fromPromise<QrStartOutcome, void>(({ signal }) =>
        outcomeOf(
          telegram.startQr(signal),
          ({ qrUrl }): QrStartOutcome => (qrUrl ? { kind: "started", qrUrl } : { kind: "refused", detail: null }),
          refusalOf,
        ),
      ),
      completeQr: fromPromise<LoginOutcome, void>(({ signal }) =>
        outcomeOf(telegram.completeQr(signal), acceptedOnSuccess, loginFailureOf),
      ),
      renewQr: fromPromise<QrRenewal, void>(({ signal }) =>
        outcomeOf(
          telegram.fetchQr(signal),
          ({ qrUrl }): QrRenewal => ({ kind: "renewed", qrUrl }),
          (error) => (failureOf(error).status === 404 ? { kind: "unavailable" } : null),
        ),
      ),
      // Takes no signal: the server must receive the cancellation even if the user leaves the screen.
      cancelQr: fromPromise<void, void>(() => telegram.cancelQr()),
      disconnect: writing(
        page,
        (_input: void) =>
          outcomeOf(telegram.disconnect(), (): DisconnectOutcome => ({ kind: "disconnected" }), refusalOf),
        {
          done: (outcome) =>
            outcome.kind === "disconnected" ? TELEGRAM_TEXTS.disconnected : { failed: TELEGRAM_TEXTS.disconnectFailed },
          failed: { refused: TELEGRAM_TEXTS.disconnectFailed, unknown: MAY_BE_DISCONNECTED },
        },
      ),
      watchConnection: fromCallback<AnyEventObject>(({ sendBack, receive }) => {
        let asking = new AbortController();
        const check = () => {
          // The pending response may be outdated.
          asking.abort();
          asking = new AbortController();
          telegram.fetchStatus(asking.signal).then(
            (status) => sendBack({ type: "connection.seen", status }),
            () => {}, // an event that cannot be confirmed changes nothing
          );
        };
        receive(check);
        const stop = page.events.subscribe("telegram.changed", check);
        return () => {
          stop();
          asking.abort();
        };
      }),
      watchQr: fromCallback<AnyEventObject>(({ sendBack }) =>
        page.events.subscribe("telegram.qr", (data) => {
          const news = v.safeParse(QrNews, data);
          if (news.success) sendBack({ type: "qr.renewed", qrUrl: news.output.qr_url });
        }),
      ),
    },
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
      /** The number of an account whose session Telegram ended, for the next login. */
      storeLastPhone: assign((_, { phone }: ConnectionStatus) => ({ connectedPhone: phone })),
      /** A response without a phone keeps the typed one in the code flow. */
      storeLogin: assign(({ context }, outcome: LoginOutcome) => ({
        connectedPhone: (outcome.kind === "connected" ? outcome.phone : null) ?? (context.phone || null),
      })),
      forgetLogin: assign({ phone: "", connectedPhone: null, passwordHint: null }),
      storeMessage: assign((_, params: { tone: Message["tone"]; text: TextKey }) => ({
        message: { tone: params.tone, text: TELEGRAM_TEXTS[params.text], detail: null },
      })),
      storeRefusal: assign((_, params: { text: TextKey; outcome: Outcome }) => ({
        message: {
          tone: "error" as const,
          text: TELEGRAM_TEXTS[params.text],
          detail: params.outcome.kind === "refused" ? params.outcome.detail : null,
          ...(params.outcome.kind === "refused" && params.outcome.isOfField && { isOfField: true as const }),
        },
      })),
      storeUnanswered: assign((_, { text, error, unknown }: { text: TextKey; error: unknown; unknown: UiText }) => ({
        message: {
          tone: "error" as const,
          text: TELEGRAM_TEXTS[text],
          detail: failureMessage(error, { refused: "", unknown }),
          isUnanswered: true as const,
        },
      })),
      checkConnection: sendTo("watchConnection", { type: "connection.check" }),
      forgetMessage: assign({ message: null }),
      markUnchecked: assign({ isUnchecked: true }),
      forgetUnchecked: assign({ isUnchecked: false }),
      rememberPhone: (_args, { phone }: { phone: string | null }) => phone !== null && phoneMemory.write(phone),
      rememberLogin: (_args, pending: PendingLogin) => loginMemory.write(pending),
      forgetLoginStep: () => loginMemory.clear(),
      resumeLogin: assign(({ context: { pending } }) => ({
        phone: pending?.phone ?? "",
        passwordHint: pending?.hint ?? null,
        pending: null,
      })),
      forgetRememberedPhone: () => phoneMemory.clear(),
      reportFailure: createReporter(page.logger),
    },
    guards: {
      isRefused: (_, outcome: Outcome) => outcome.kind === "refused",
      isPasswordNeeded: (_, outcome: Outcome) => outcome.kind === "passwordNeeded",
      isExpired: (_, outcome: Outcome) => outcome.kind === "expired",
      isConnected: (_, outcome: Outcome) => outcome.kind === "connected",
      isUnavailable: (_, renewal: QrRenewal) => renewal.kind === "unavailable",
      isPendingAt: ({ context: { pending } }, { step }: { step: PendingLogin["step"] }) => pending?.step === step,
      isOver: (_, outcome: Outcome) => outcome.kind === "refused" && outcome.isOver === true,
      isUnchecked: ({ context }) => context.isUnchecked,
      hasConnection: (_, status: ConnectionStatus) => status.connected,
      isOwnConnection: ({ context }, status: ConnectionStatus) =>
        status.connected && context.message?.isUnanswered === true,
      hasNoConnection: (_, status: ConnectionStatus) => !status.connected,
      isTab: ({ event }, params: { tab: Tab }) => event.type === "tab.choose" && event.tab === params.tab,
    },
    delays: {
      // The server ends the attempt at 120 s; the margin lets its response arrive first.
      qrLifetime: (QR_TIMEOUT_SECONDS + 5) * 1000,
      qrRenewal: 5_000,
      cancelPatience: 3_000,
    },
  });
