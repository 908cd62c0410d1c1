import * as v from "valibot";
import { isUiText, type UiTextOrString } from "./ui-text.ts";

/**
 * The shape of every error response: what happened and what to do, a stable code with its parameters, and the invalid fields. With the
 * code `stale`, `current` holds the current value at the same address.
 */
export const Problem = v.object({
  message: v.string(),
  code: v.string(),
  params: v.optional(v.record(v.string(), v.unknown())),
  fields: v.optional(v.record(v.string(), v.string())),
  current: v.optional(v.unknown()),
});
export type Problem = v.InferOutput<typeof Problem>;

/** Error codes after which a write may still have taken effect. */
const UNSURE_CODES = ["card_provider_away", "database_away", "internal_error", "outcome_unknown", "overloaded"];

/**
 * Distinguishes the two ways in which a write fails. True: it may have taken effect, because no response came, a proxy answered for the
 * server, or the server was interrupted. False: the server refused it.
 */
export function isOutcomeUnknown(error: unknown): boolean {
  const { status, code } = failureOf(error);
  if (status === null) return true;
  return code === null ? status === 408 || status >= 500 : UNSURE_CODES.includes(code);
}

/** A failed request, whatever was thrown. `status` is null when no response came. */
export type Failure = { status: number | null; code: string | null; message: UiTextOrString | null; body: unknown };

const textOf = (value: unknown, key: string): string | null => {
  if (typeof value !== "object" || value === null) return null;
  const found = (value as Record<string, unknown>)[key];
  return typeof found === "string" && found !== "" ? found : null;
};

const messageOf = (body: unknown): UiTextOrString | null => {
  const message = typeof body === "object" && body !== null && "message" in body ? body.message : null;
  return isUiText(message) ? message : textOf(body, "message");
};

/** Reads a thrown value as a Failure; never throws. `message` comes from the server, never from a library. */
export function failureOf(error: unknown): Failure {
  if (typeof error !== "object" || error === null) return { status: null, code: null, message: null, body: null };
  const { status, body } = error as { status?: unknown; body?: unknown };
  return {
    status: typeof status === "number" ? status : null,
    code: textOf(body, "code"),
    message: messageOf(body),
    body: body ?? null,
  };
}

/** Handles a rejected request: returns null for these statuses, such as 404 for an unknown route, and throws any other error. */
export const nullOn =
  (...statuses: number[]) =>
  (error: unknown): null => {
    const { status } = failureOf(error);
    if (status !== null && statuses.includes(status)) return null;
    throw error;
  };
