import type { InferOutput } from "valibot";
import type { UiTextOrString } from "../../../domain/ui-text.ts";
import { failureOf } from "../../../domain/problem.ts";
import { type LoginResult, isTwoStepRequired } from "../../../domain/telegram.ts";
import { refusedFields } from "../kit/writing.ts";

export type LoginAnswer = InferOutput<typeof LoginResult>;

export type ConnectionStatus = { connected: boolean; phone: string | null };
/** `isOfField`: the detail is about the input, not about the account or the network. `isOver`: the login must start again. */
export type Refused = { kind: "refused"; detail: UiTextOrString | null; isOfField?: true; isOver?: true };
/** A login by code that continues after a reload. */
export type PendingLogin = { phone: string; step: "code" | "password"; hint: string | null };
export type CodeRequestOutcome = { kind: "codeSent" } | Refused;
export type LoginOutcome =
  | { kind: "connected"; phone: string | null }
  | { kind: "passwordNeeded"; hint: string | null }
  | { kind: "expired" }
  | Refused;
export type QrStartOutcome = { kind: "started"; qrUrl: string } | Refused;
export type DisconnectOutcome = { kind: "disconnected" } | Refused;
/** A renewed QR code, or that this server cannot renew it. */
export type QrRenewal = { kind: "renewed"; qrUrl: string } | { kind: "unavailable" };

/** Awaits a call; `judge` maps a rejection to an outcome, or returns null for an outage, which rejects. */
export async function outcomeOf<Answer, Outcome>(
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

/** Returns the refusal, or null without a response. Its message is shown only if the response has the API's shape, with a code. */
export function refusalOf(error: unknown): Refused | null {
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

/** Returns the outcome of a failed login, or null without a response. */
export function loginFailureOf(error: unknown): LoginOutcome | null {
  const { status, body } = failureOf(error);
  if (isTwoStepRequired(body)) return passwordNeeded(body);
  return status === 408 ? { kind: "expired" } : refusalOf(error);
}

export const passwordNeeded = (body: unknown): LoginOutcome => ({ kind: "passwordNeeded", hint: textOf(body, "hint") });

/** The outcome of a response that must report success. */
export const acceptedOnSuccess = (answer: LoginAnswer): LoginOutcome => {
  if (isTwoStepRequired(answer)) return passwordNeeded(answer);
  return answer.success === true
    ? { kind: "connected", phone: answer.phone ?? null }
    : { kind: "refused", detail: null };
};

/** The response of verify-code has no fixed shape: success unless it reports a failure. */
export const acceptedUnlessRefused = (answer: LoginAnswer): LoginOutcome =>
  acceptedOnSuccess({ ...answer, success: answer.success ?? true });

/** Whether a response asks for the two-step password. */
export function mentionsPassword(body: unknown): boolean {
  const texts =
    typeof body === "string" ? [body] : ["error", "message", "detail"].map((key) => textOf(body, key) ?? "");
  return texts.some((text) => text.toLowerCase().includes("password"));
}

function textOf(body: unknown, key: string): string | null {
  if (typeof body !== "object" || body === null) return null;
  const value = (body as Record<string, unknown>)[key];
  return typeof value === "string" && value !== "" ? value : null;
}
