import { fromPromise } from "xstate";
import type { UiTextOrString } from "../../../domain/ui-text.ts";

/** A step back that a toast offers; `onPress` runs at most once, and never after the toast is gone. */
export type Undo = { label: UiTextOrString; onPress: () => void };

/** How charts speak to the person, over any screen. */
export type Notifier = {
  /**
   * Good news for 3 seconds; with an undo, for as long as the undo is offered: 10 seconds unless `durationMs` says how long the
   * server takes it. With `afterwards`, the toast says that once its 3 seconds are over.
   */
  toast: (message: UiTextOrString, options?: { undo?: Undo; durationMs?: number; afterwards?: UiTextOrString }) => void;
  /** Bad news that nobody waits for any more; stays for 10 seconds and asks for no answer. */
  warn: (message: UiTextOrString) => void;
  /** Settles when it is answered, or withdrawn by the signal. */
  alert: (message: UiTextOrString, options?: { signal?: AbortSignal }) => Promise<void>;
  /** True for OK; false for Cancel, and when it is withdrawn by the signal. */
  confirm: (message: UiTextOrString, options?: { signal?: AbortSignal }) => Promise<boolean>;
};

/** An actor that tells something and waits for OK; a chart that stops, or leaves the state, withdraws it. */
export const alerting = (notifier: Pick<Notifier, "alert">) =>
  fromPromise<void, { message: UiTextOrString }>(({ input, signal }) => notifier.alert(input.message, { signal }));

/** An actor that asks and gives the answer; a chart that stops, or leaves the state, withdraws the question. */
export const confirming = (notifier: Pick<Notifier, "confirm">) =>
  fromPromise<boolean, { message: UiTextOrString }>(({ input, signal }) => notifier.confirm(input.message, { signal }));
