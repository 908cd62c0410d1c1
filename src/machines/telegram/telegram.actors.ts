import type { InferOutput } from "valibot";
import { type AnyEventObject, fromCallback, fromPromise } from "xstate";
import { failureOf } from "../../../domain/problem.ts";
import { type LoginResult, saysTwoStepRequired } from "../../../domain/telegram.ts";
import { notProvided } from "../kit/not-provided.ts";
import { refusedFields } from "../kit/failed.ts";
import { type WritingDeps, writing } from "../kit/writing.ts";
import { MAY_BE_DISCONNECTED, TELEGRAM_TEXTS } from "./telegram.texts.ts";

type LoginAnswer = InferOutput<typeof LoginResult>;

export type ConnectionStatus = { connected: boolean; phone: string | null };
/**
 * `isOfField`: the detail is about what was typed, and not about the account or the network. `isOver`: the login has to begin
 * again.
 */
export type Refused = { kind: "refused"; detail: string | null; isOfField?: true; isOver?: true };
/** A login by code that a reload goes on with. */
export type PendingLogin = { phone: string; step: "code" | "password"; hint: string | null };
export type CodeRequestOutcome = { kind: "codeSent" } | Refused;
export type LoginOutcome =
  | { kind: "connected"; phone: string | null }
  | { kind: "passwordNeeded"; hint: string | null }
  | { kind: "expired" }
  | Refused;
export type QrStartOutcome = { kind: "started"; qrUrl: string } | Refused;
export type DisconnectOutcome = { kind: "disconnected" } | Refused;
/** A renewed picture, or the news that this server renews none. */
export type QrRenewal = { kind: "renewed"; qrUrl: string } | { kind: "unavailable" };

/** The calls of the connect screen. Each rejects with what `failureOf` can read. */
export type TelegramGateway = {
  fetchStatus(signal: AbortSignal): Promise<ConnectionStatus>;
  sendCode(input: { phone: string }, signal: AbortSignal): Promise<void>;
  verifyCode(input: { phone: string; code: string }): Promise<LoginAnswer>;
  verifyPassword(input: { password: string }): Promise<LoginAnswer>;
  startQr(signal: AbortSignal): Promise<{ qrUrl: string | null }>;
  completeQr(signal: AbortSignal): Promise<LoginAnswer>;
  fetchQr(signal: AbortSignal): Promise<{ qrUrl: string }>;
  cancelQr(): Promise<void>;
  disconnect(): Promise<void>;
};

/** News from the server; everything works without them. */
export type TelegramNews = {
  onConnectionChanged(listener: () => void): () => void;
  onQrRenewed(listener: (qrUrl: string) => void): () => void;
};

export const placeholderActors = {
  checkStatus: notProvided<ConnectionStatus, void>("checkStatus"),
  requestCode: notProvided<CodeRequestOutcome, { phone: string }>("requestCode"),
  checkCode: notProvided<LoginOutcome, { phone: string; code: string }>("checkCode"),
  checkPassword: notProvided<LoginOutcome, { password: string }>("checkPassword"),
  startQr: notProvided<QrStartOutcome, void>("startQr"),
  completeQr: notProvided<LoginOutcome, void>("completeQr"),
  renewQr: notProvided<QrRenewal, void>("renewQr"),
  cancelQr: notProvided<void, void>("cancelQr"),
  disconnect: notProvided<DisconnectOutcome, void>("disconnect"),
  watchConnection: fromCallback<AnyEventObject>(() => {}),
  watchQr: fromCallback<AnyEventObject>(() => {}),
};

/** The actors over a gateway: an answered refusal becomes an output, an outage stays an error. */
export function createTelegramActors(
  telegram: TelegramGateway,
  news: TelegramNews,
  page: WritingDeps,
): typeof placeholderActors {
  // A login that is under way goes on when its screen is left; so does a disconnect.
  const login = (refused: string) => ({
    done: (outcome: LoginOutcome) => (outcome.kind === "connected" ? "✅ Connected to Telegram." : { failed: refused }),
    failed: { refused, unknown: "Telegram may be connected." },
  });
  return {
    checkStatus: fromPromise(({ signal }) => telegram.fetchStatus(signal)),
    requestCode: fromPromise(({ input, signal }) =>
      outcomeOf(telegram.sendCode(input, signal), (): CodeRequestOutcome => ({ kind: "codeSent" }), refusalOf),
    ),
    checkCode: writing(
      page,
      (input: { phone: string; code: string }) =>
        outcomeOf(telegram.verifyCode(input), acceptedUnlessRefused, (error) =>
          saysPassword(failureOf(error).body) ? passwordNeeded(failureOf(error).body) : loginFailureOf(error),
        ),
      login("The Telegram login was not finished."),
    ),
    checkPassword: writing(
      page,
      (input: { password: string }) =>
        outcomeOf<LoginAnswer, LoginOutcome>(telegram.verifyPassword(input), acceptedOnSuccess, refusalOf),
      login(TELEGRAM_TEXTS.passwordRefused),
    ),
    startQr: fromPromise(({ signal }) =>
      outcomeOf(
        telegram.startQr(signal),
        ({ qrUrl }): QrStartOutcome => (qrUrl ? { kind: "started", qrUrl } : { kind: "refused", detail: null }),
        refusalOf,
      ),
    ),
    completeQr: fromPromise(({ signal }) => outcomeOf(telegram.completeQr(signal), acceptedOnSuccess, loginFailureOf)),
    renewQr: fromPromise(({ signal }) =>
      outcomeOf(
        telegram.fetchQr(signal),
        ({ qrUrl }): QrRenewal => ({ kind: "renewed", qrUrl }),
        (error) => (failureOf(error).status === 404 ? { kind: "unavailable" } : null),
      ),
    ),
    // Without a signal on purpose: the server must learn of the cancel also when the person leaves the screen.
    cancelQr: fromPromise(() => telegram.cancelQr()),
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
    watchConnection: fromCallback(({ sendBack, receive }) => {
      const asking = new AbortController();
      const check = () => {
        telegram.fetchStatus(asking.signal).then(
          (status) => sendBack({ type: "connection.seen", status }),
          () => {}, // news that cannot be confirmed change nothing
        );
      };
      receive(check);
      const stop = news.onConnectionChanged(check);
      return () => {
        stop();
        asking.abort();
      };
    }),
    watchQr: fromCallback(({ sendBack }) => news.onQrRenewed((qrUrl) => sendBack({ type: "qr.renewed", qrUrl }))),
  };
}

/** Awaits a call; `judge` turns a rejection into an outcome, or gives null for an outage that stays a rejection. */
async function outcomeOf<Answer, Outcome>(
  call: Promise<Answer>,
  accept: (answer: Answer) => Outcome,
  judge: (error: unknown) => Outcome | null,
): Promise<Outcome> {
  try {
    return accept(await call);
  } catch (error) {
    const outcome = judge(error);
    if (outcome === null) throw error;
    return outcome;
  }
}

const OVER = ["code_expired", "login_expired"];

/** The server's own words stand beside the screen's text only when they come in its own shape, with a code. */
function refusalOf(error: unknown): Refused | null {
  const { status, code, message } = failureOf(error);
  if (status === null) return null;
  const isOfField = Object.keys(refusedFields(error)).length > 0;
  return {
    kind: "refused",
    detail: code === null ? null : message,
    ...(isOfField && { isOfField }),
    ...(code !== null && OVER.includes(code) && { isOver: true }),
  };
}

function loginFailureOf(error: unknown): LoginOutcome | null {
  const { status, body } = failureOf(error);
  if (saysTwoStepRequired(body)) return passwordNeeded(body);
  return status === 408 ? { kind: "expired" } : refusalOf(error);
}

const passwordNeeded = (body: unknown): LoginOutcome => ({ kind: "passwordNeeded", hint: textOf(body, "hint") });

const acceptedOnSuccess = (answer: LoginAnswer): LoginOutcome => {
  if (saysTwoStepRequired(answer)) return passwordNeeded(answer);
  return answer.success === true
    ? { kind: "connected", phone: answer.phone ?? null }
    : { kind: "refused", detail: null };
};

/** verify-code's answer is not fixed: whatever does not say no is a yes. */
const acceptedUnlessRefused = (answer: LoginAnswer): LoginOutcome =>
  acceptedOnSuccess({ ...answer, success: answer.success ?? true });

function saysPassword(body: unknown): boolean {
  const texts =
    typeof body === "string" ? [body] : ["error", "message", "detail"].map((key) => textOf(body, key) ?? "");
  return texts.some((text) => text.toLowerCase().includes("password"));
}

function textOf(body: unknown, key: string): string | null {
  if (typeof body !== "object" || body === null) return null;
  const value = (body as Record<string, unknown>)[key];
  return typeof value === "string" && value !== "" ? value : null;
}
