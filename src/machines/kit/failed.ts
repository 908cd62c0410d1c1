import { msg } from "@lingui/core/runtime-macro";
import { failureOf, isOutcomeUnknown } from "../../../domain/problem.ts";
import type { UiTextOrString } from "../../../domain/ui-text.ts";
import { reportFailure } from "./reporting.ts";

/**
 * What to say of a call that failed: `refused` where the server gave no reason, and `unknown` what may have happened all the same; null
 * where nothing can have happened. `label` comes before the server's reason, for users who may be on another screen by then.
 */
export type FailureText = { refused: UiTextOrString; unknown: UiTextOrString | null; label?: UiTextOrString };

/** The text of a call that only reads. */
export const readFailure = (refused: UiTextOrString): FailureText => ({ refused, unknown: null });

const NO_RESPONSE = msg`No response from the server.`;

/** Returns the server's reason for a refusal. Where the outcome is not known, says so and what may have happened. */
export function failureMessage(error: unknown, { refused, unknown, label }: FailureText): UiTextOrString {
  if (error === CURRENT_UNREAD) return CURRENT_UNREAD_TEXT;
  const { message } = failureOf(error);
  if (unknown !== null && isOutcomeUnknown(error))
    return msg({
      message: msg`${{ reason: message ?? NO_RESPONSE }} ${{ consequence: unknown }}`,
      comment: "Two sentences, one after the other: why it failed, and what may have happened.",
    });
  return message !== null && label !== undefined ? msg`${{ label }}: ${{ reason: message }}` : (message ?? refused);
}

/** Guards the reading that must follow a write without a known outcome. */
export const isUnanswered = (_: unknown, params: { error: unknown }): boolean => isOutcomeUnknown(params.error);

/** Whether a save was refused because something else was saved since its version was read. */
export const isStale = (failure: unknown): boolean => failureOf(failure).code === "stale";

/** Such a refusal whose current version could not be read: nothing was saved, whatever became of the reading. */
export const CURRENT_UNREAD = { status: 409, body: { code: "stale" } };
const CURRENT_UNREAD_TEXT = msg`Not saved: this was changed elsewhere, and the current version could not be read. Try again.`;

/** The same as a guard of a failed write. */
export const isStaleError = (_: unknown, params: { error: unknown }): boolean => isStale(params.error);

type Failed = { error: unknown; text: FailureText };

/** Keeps the message under `problem`: `storeProblem: assign(problemOf)`. */
export const problemOf = (_: unknown, { error, text }: Failed): { problem: UiTextOrString } => ({
  problem: failureMessage(error, text),
});

/** The same in a list, with the thing that it was `about`: `storeProblem: assign(problemAbout(idOfActive))`. */
export const problemAbout =
  <Context>(idOf: (context: Context) => string | null) =>
  ({ context }: { context: Context }, refusal: Failed): { problem: UiTextOrString; about: string | null } => ({
    ...problemOf(null, refusal),
    about: idOf(context),
  });

/** The chart of a list in which one thing at a time is changed. */
type ListSnapshot = { context: { problem: UiTextOrString | null; about: string | null } };

/** What was refused of one thing of a list, to be told beside it: a long list's head is out of sight. */
export const selectProblemOf =
  (id: string) =>
  ({ context: { problem, about } }: ListSnapshot): UiTextOrString | null =>
    about === id ? problem : null;

/** What was refused and is about none of the things listed. */
export const selectProblemOver = ({ context: { problem, about } }: ListSnapshot): UiTextOrString | null =>
  about === null ? problem : null;

/** The same as `problemAbout`, with what the API says of single fields under `refused`. */
export const refusedAbout =
  <Context>(idOf: (context: Context) => string | null) =>
  (args: { context: Context }, refusal: Failed) => ({
    ...problemAbout(idOf)(args, refusal),
    refused: refusedFields(refusal.error),
  });

/**
 * The actions of a write that failed: keeps its message, to be shown beside the control, and logs `what` failed. Needs `storeProblem` and
 * `reportFailure` in the chart's setup.
 */
export const failed = <const What extends string>(text: FailureText, what: What) =>
  [
    {
      type: "storeProblem",
      params: ({ event }: { event: { error: unknown } }) => ({ error: event.error, text }),
    },
    reportFailure(what),
  ] as const;

/** The words of a refusal for each field that it names, by the field's first name: `events` for `events.2`. */
export function refusedFields(error: unknown): Readonly<Record<string, string>> {
  const { body } = failureOf(error);
  const fields = typeof body === "object" && body !== null && "fields" in body ? body.fields : null;
  if (typeof fields !== "object" || fields === null) return {};
  const told: Record<string, string> = {};
  for (const [path, words] of Object.entries(fields)) {
    const name = path.split(/[.[]/)[0] ?? path;
    if (typeof words === "string") told[name] ??= words;
  }
  return told;
}
