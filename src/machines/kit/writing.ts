import { fromPromise } from "xstate";
import { type UiTextOrString, isUiText } from "../../../domain/ui-text.ts";
import type { Logger } from "../../services/logger.ts";
import { type Notifier, reportFailure } from "./page.ts";
import { msg } from "@lingui/core/runtime-macro";
import { failureOf, isOutcomeUnknown } from "../../../domain/problem.ts";
import { withOutput } from "./chart.ts";

export type WritingPage = { notifier: Pick<Notifier, "toast" | "warn">; logger: Logger };

/** What to say of a write that was answered: good news, or a refusal that came as an output. */
export type News = UiTextOrString | { failed: UiTextOrString };

type Texts<Output, Input> = {
  /** Said of a success when nobody waits for it any more; without it, or for null, a success passes in silence. */
  done?: UiTextOrString | ((output: Output, input: Input) => News | null);
  /** Said of a failure when nobody waits for it any more. */
  failed: FailureText | ((error: unknown, input: Input) => FailureText);
};

/**
 * A write as an actor. It gets no signal, so that it goes on to its end when its chart stops or leaves the state; what
 * became of it is then told by the notifier, since no screen is left to show it. While the chart waits, the chart tells.
 */
export const writing = <Output, Input>(
  { notifier, logger }: WritingPage,
  write: (input: Input) => Promise<Output>,
  texts: Texts<Output, Input>,
) =>
  fromPromise<Output, Input>(({ input, signal }) => {
    const work = write(input);
    work.then(
      (output) => {
        if (!signal.aborted) return;
        const news = typeof texts.done === "function" ? texts.done(output, input) : texts.done;
        if (typeof news === "string" || isUiText(news)) notifier.toast(news);
        else if (news) notifier.warn(news.failed);
      },
      (error: unknown) => {
        if (!signal.aborted) return;
        logger.warn("a write failed after its screen was left", error);
        const text = typeof texts.failed === "function" ? texts.failed(error, input) : texts.failed;
        notifier.warn(failureMessage(error, text));
      },
    );
    return work;
  });

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

/** What a refusal says of each field that it names, by the field's first name: `events` for `events.2`. */
export function refusedFields(error: unknown): Readonly<Record<string, UiTextOrString>> {
  const { body } = failureOf(error);
  const fields = typeof body === "object" && body !== null && "fields" in body ? body.fields : null;
  if (typeof fields !== "object" || fields === null) return {};
  const texts: Record<string, UiTextOrString> = {};
  for (const [path, text] of Object.entries(fields)) {
    const name = path.split(/[.[]/)[0] ?? path;
    if (typeof text === "string" || isUiText(text)) texts[name] ??= text;
  }
  return texts;
}

/** Which of two versions the user keeps of something that was changed here and elsewhere. */
export type Version = "mine" | "saved";

/** Whether a field was changed both in `typed` and in `now`, to different values, since both were as `was`. */
export const isContested = <Form extends object>({ typed, was, now }: Record<"typed" | "was" | "now", Form>): boolean =>
  (Object.keys(now) as (keyof Form)[]).some(
    (field) => typed[field] !== was[field] && now[field] !== was[field] && typed[field] !== now[field],
  );

/**
 * The states after a save was refused as stale: what is typed is merged with what is stored now, and saved again unless a field was changed
 * in both. Needs `fetchSettings`, `storeSettings`, `storeProblem`, `announceSaved` and the guards `isConflict` and `isSaved` in the chart's
 * setup. Spread into its states beside `editable` and `saving`.
 */
export const mergingSettings = (text: FailureText) => ({
  merging: {
    invoke: {
      id: "fetchCurrent" as const,
      src: "fetchSettings" as const,
      onDone: { target: "merged" as const, actions: withOutput("storeSettings") },
      onError: {
        target: "editable.refreshing" as const,
        actions: [
          { type: "storeProblem" as const, params: { error: CURRENT_UNREAD, text } },
          reportFailure("the settings were not saved"),
        ],
      },
    },
  },
  merged: {
    always: [
      { guard: "isConflict" as const, target: "editable" as const },
      { guard: "isSaved" as const, target: "editable" as const, actions: "announceSaved" as const },
      { target: "saving" as const },
    ],
  },
});
