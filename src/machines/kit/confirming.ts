import { fromPromise } from "xstate";
import type { UiTextOrString } from "../../../domain/ui-text.ts";
import { withOutput } from "./chart.ts";
import type { Notifier } from "./page.ts";

/** Creates an actor that shows an alert and waits for OK. The alert closes when the chart stops or leaves the state. */
export const alerting = (notifier: Pick<Notifier, "alert">) =>
  fromPromise<void, { message: UiTextOrString }>(({ input, signal }) => notifier.alert(input.message, { signal }));

/** Creates an actor that shows a question and returns the answer. The question closes when the chart stops or leaves the state. */
export const confirming = (notifier: Pick<Notifier, "confirm">) =>
  fromPromise<boolean, { message: UiTextOrString }>(({ input, signal }) => notifier.confirm(input.message, { signal }));

/**
 * Returns a state that shows an alert, then moves to `next`, also when the alert cannot be shown. Needs `showAlert` in the chart's setup.
 */
export const alertState = <Message, const Next extends string>(
  input: Message,
  next: Next,
  /** Tells the alerts of several regions of a chart apart. */
  id = "showAlert",
) => ({ invoke: { id, src: "showAlert" as const, input, onDone: next, onError: next } });

/**
 * Returns a state that asks a question: `yes` for OK, `no` for Cancel and when the question cannot be shown. Needs
 * `askConfirmation` and the guard `isConfirmed` in the chart's setup.
 */
export const confirmState = <Message, const Yes extends string, const No extends string>(
  input: Message,
  { yes, no }: { yes: Yes; no: No },
) => ({
  invoke: {
    id: "askConfirmation" as const,
    src: "askConfirmation" as const,
    input,
    onDone: [{ guard: withOutput("isConfirmed"), target: yes }, { target: no }],
    onError: no,
  },
});

export const isConfirmed = (_: unknown, answer: boolean): boolean => answer;
