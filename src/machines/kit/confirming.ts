import { fromPromise } from "xstate";
import type { UiTextOrString } from "../../../domain/ui-text.ts";
import type { Notifier } from "./page.ts";

/** An actor that tells something and waits for OK; a chart that stops, or leaves the state, withdraws it. */
export const alerting = (notifier: Pick<Notifier, "alert">) =>
  fromPromise<void, { message: UiTextOrString }>(({ input, signal }) => notifier.alert(input.message, { signal }));

/** An actor that asks and gives the answer; a chart that stops, or leaves the state, withdraws the question. */
export const confirming = (notifier: Pick<Notifier, "confirm">) =>
  fromPromise<boolean, { message: UiTextOrString }>(({ input, signal }) => notifier.confirm(input.message, { signal }));

type Message<Input, Asked extends { message: UiTextOrString } = { message: UiTextOrString }> =
  | Asked
  | ((args: Input) => Asked);

/**
 * A state that tells something over the screen and goes on when the person has taken note of it, or cannot be told. Needs
 * `showAlert` in the chart's setup.
 */
export const telling = <const Next extends string, Input = never>(
  input: Message<Input>,
  next: Next,
  /** Where a chart tells in several regions, which of them it is. */
  id = "showAlert",
) => ({ invoke: { id, src: "showAlert" as const, input, onDone: next, onError: next } });

/**
 * A state that asks a question: `yes` for OK, `no` for Cancel and where it cannot be asked. Needs `askConfirmation` and
 * the guard `isConfirmed` in the chart's setup.
 */
export const asking = <
  const Yes extends string,
  const No extends string,
  Input = never,
  Asked extends { message: UiTextOrString } = { message: UiTextOrString },
>(
  input: Message<Input, Asked>,
  { yes, no }: { yes: Yes; no: No },
) => ({
  invoke: {
    id: "askConfirmation" as const,
    src: "askConfirmation" as const,
    input,
    onDone: [
      {
        guard: {
          type: "isConfirmed" as const,
          params: ({ event }: { event: { output: boolean } }) => ({ isConfirmed: event.output }),
        },
        target: yes,
      },
      { target: no },
    ],
    onError: no,
  },
});

/** The guard of an answer. */
export const isConfirmed = (_: unknown, params: { isConfirmed: boolean }): boolean => params.isConfirmed;
