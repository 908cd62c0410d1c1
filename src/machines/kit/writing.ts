import { fromPromise } from "xstate";
import { type UiTextOrString, isUiText } from "../../../domain/ui-text.ts";
import type { Logger } from "../../services/logger.ts";
import { type Notifier, reportFailure } from "./page.ts";
import { msg } from "@lingui/core/runtime-macro";
import { failureOf, isOutcomeUnknown } from "../../../domain/problem.ts";
import { withOutput } from "./chart.ts";

export type WritingPage = { notifier: Pick<Notifier, "toast" | "warn">; logger: Logger };

/** The message about a response: a success, or a refusal that came as an output. */
export type News = UiTextOrString | { failed: UiTextOrString };

type Texts<Output, Input> = {
  /** Shown after a success once the chart has left the state; without it, or for null, nothing is shown. */
  done?: UiTextOrString | ((output: Output, input: Input) => News | null);
  /** Shown after a failure once the chart has left the state. */
  failed: FailureText | ((error: unknown, input: Input) => FailureText);
};

/**
 * Creates an actor that writes. It gets no signal, so the write finishes although the chart stops or leaves the state. The notifier
 * then shows the outcome; otherwise the chart does.
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
 * Runs a write for which no chart waits, such as an undo after the user left the screen, and shows its outcome. `what` names a failure
 * in the log. Resolves to true on success.
 */
export async function writeInBackground<Output>(
  { notifier, logger }: WritingPage,
  write: () => Promise<Output>,
  { done, failed, what }: { done: (output: Output) => UiTextOrString; failed: FailureText; what: string },
): Promise<boolean> {
  try {
    notifier.toast(done(await write()));
    return true;
  } catch (error) {
    logger.warn(what, error);
    notifier.warn(failureMessage(error, failed));
    return false;
  }
}

/**
 * The texts for a failed call: `refused` when the server gave no reason; `unknown` says what may have happened, null if nothing can.
 * `label` precedes the server's reason for users who may be on another screen by then.
 */
export type FailureText = { refused: UiTextOrString; unknown: UiTextOrString | null; label?: UiTextOrString };

export const readFailure = (refused: UiTextOrString): FailureText => ({ refused, unknown: null });

const NO_RESPONSE = msg`No response from the server.`;

/** Returns the server's reason for a refusal. When the outcome is unknown, says so and what may have happened. */
export function failureMessage(error: unknown, { refused, unknown, label }: FailureText): UiTextOrString {
  if (error === CURRENT_NOT_LOADED) return CURRENT_NOT_LOADED_TEXT;
  const { message } = failureOf(error);
  if (unknown !== null && isOutcomeUnknown(error))
    return msg({
      message: msg`${{ reason: message ?? NO_RESPONSE }} ${{ consequence: unknown }}`,
      comment: "Two sentences, one after the other: why it failed, and what may have happened.",
    });
  return message !== null && label !== undefined ? msg`${{ label }}: ${{ reason: message }}` : (message ?? refused);
}

/** Whether a write's outcome is unknown, so that a read must follow. */
export const isUnanswered = (_: unknown, params: { error: unknown }): boolean => isOutcomeUnknown(params.error);

/** Whether a save was refused as stale. */
export const isStale = (failure: unknown): boolean => failureOf(failure).code === "stale";

/** A stale save whose current version could not be read. Nothing was saved. */
export const CURRENT_NOT_LOADED = { status: 409, body: { code: "stale" } };

const CURRENT_NOT_LOADED_TEXT = msg`Not saved: this was changed elsewhere, and the current version could not be read. Try again.`;

/** `isStale` as a guard of a failed write. */
export const isStaleError = (_: unknown, params: { error: unknown }): boolean => isStale(params.error);

type Failed = { error: unknown; text: FailureText };

/** Stores the message under `problem`: `storeProblem: assign(problemOf)`. */
export const problemOf = (_: unknown, { error, text }: Failed): { problem: UiTextOrString } => ({
  problem: failureMessage(error, text),
});

/** Stores the message with the list item that it is `about`: `storeProblem: assign(problemAbout(idOfActive))`. */
export const problemAbout =
  <Context>(idOf: (context: Context) => string | null) =>
  ({ context }: { context: Context }, refusal: Failed): { problem: UiTextOrString; about: string | null } => ({
    ...problemOf(null, refusal),
    about: idOf(context),
  });

/** A list that changes one item at a time. */
type ListSnapshot = { context: { problem: UiTextOrString | null; about: string | null } };

/** Returns the problem of one list item, to show beside it. */
export const selectProblemOf =
  (id: string) =>
  ({ context: { problem, about } }: ListSnapshot): UiTextOrString | null =>
    about === id ? problem : null;

/** Returns the problem that concerns no listed item. */
export const selectProblemOver = ({ context: { problem, about } }: ListSnapshot): UiTextOrString | null =>
  about === null ? problem : null;

/** Like `problemAbout`, with the API's problems of single fields under `refused`. */
export const refusedAbout =
  <Context>(idOf: (context: Context) => string | null) =>
  (args: { context: Context }, refusal: Failed) => ({
    ...problemAbout(idOf)(args, refusal),
    refused: refusedFields(refusal.error),
  });

/**
 * Returns the actions after a failed write: stores its message and logs `what` failed. Needs `storeProblem` and `reportFailure` in the
 * chart's setup.
 */
export const failed = <const What extends string>(text: FailureText, what: What) =>
  [
    {
      type: "storeProblem",
      params: ({ event }: { event: { error: unknown } }) => ({ error: event.error, text }),
    },
    reportFailure(what),
  ] as const;

/** Returns the problems of a refusal by field; `events.2` counts as `events`. */
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

/** Which version the user keeps of something that was also changed elsewhere. */
export type Version = "mine" | "saved";

/** A form as `typed`, based on what `was` saved, and what is saved `now`. */
type Edit<Form> = { typed: Form; was: Form; now: Form };

const fieldsOf = <Form extends object>(form: Form) => Object.keys(form) as (keyof Form)[];

/** Whether `typed` and `now` changed the same field of `was` to different values. */
export const isContested = <Form extends object>({ typed, was, now }: Edit<Form>): boolean =>
  fieldsOf(now).some(
    (field) => typed[field] !== was[field] && now[field] !== was[field] && typed[field] !== now[field],
  );

/** Applies the unsaved edits to what is saved now, field by field. */
export const withEdits = <Form extends object>({ typed, was, now }: Edit<Form>): Form =>
  Object.fromEntries(
    fieldsOf(now).map((field) => [field, typed[field] === was[field] ? now[field] : typed[field]]),
  ) as Form;

/** Whether the form equals what is saved. */
export const isSameForm = <Form extends object>(form: Form, saved: Form): boolean =>
  fieldsOf(saved).every((field) => form[field] === saved[field]);

/** A form of settings: as typed, as saved, why the last save failed, and whether the user must choose a version. */
type SettingsState<Form> = { form: Form; saved: Form; problem: UiTextOrString | null; isConflict: boolean };

/** Stores settings that were read. Unsaved edits stay; they conflict if the same field was changed elsewhere. */
export function withSettings<Form extends object>(
  { form, saved, problem, isConflict }: SettingsState<Form>,
  now: Form,
): SettingsState<Form> {
  const edit = { typed: form, was: saved, now };
  const merged = withEdits(edit);
  // A save without a response has succeeded after all, so its problem is cleared.
  if (isSameForm(merged, now)) return { form: merged, saved: now, problem: null, isConflict: false };
  return { form: merged, saved: now, problem, isConflict: isConflict || isContested(edit) };
}

/**
 * Returns the states after a save was refused as stale: merges the edits into the stored version and saves again, unless both changed
 * the same field. Needs `fetchSettings`, `storeSettings`, `storeProblem`, `announceSaved` and the guards `isConflict` and `isSaved` in the chart's
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
          { type: "storeProblem" as const, params: { error: CURRENT_NOT_LOADED, text } },
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
