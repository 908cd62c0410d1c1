import { expect } from "vitest";
import type { StateInvariant, Visit } from "./invariants.ts";
import { isCalling } from "./reading-invariants.ts";

// oxlint-disable-next-line typescript/no-explicit-any -- each chart knows its own context
type Any = any;
type Check = (visit: Visit<Any>) => unknown;

/** The invariants of a confirmation dialog. */
export const confirmationInvariant = (
  question: string | ((context: Any) => string),
  after: NonNullable<StateInvariant<Any>["after"]>,
): StateInvariant<Any> => ({
  after,
  holds: ({ context, calls }) =>
    isCalling("askConfirmation", { message: typeof question === "string" ? question : question(context) })({ calls }),
});

/** The invariants of the kit's `revealing` below a path. `shows` is what leads there, `text` what a copy holds. */
export const revealingInvariants = (
  path: string,
  {
    shows,
    text,
    question,
  }: { shows: Readonly<Record<string, Check>>; text: (context: Any) => string; question: string },
): Record<string, StateInvariant<Any>> => {
  const copied =
    (outcome: string): Check =>
    ({ context, before }) =>
      expect([context.copying, context.copied]).toEqual([null, { ...before.copied, [before.copying]: outcome }]);
  return {
    [`${path}revealed`]: {
      accepts: ["secret.copy", "secret.dismiss"],
      after: {
        ...shows,
        "done copyText": copied("copied"),
        "error copyText": copied("refused"),
        "done askConfirmation": ({ event }) => expect(event.output).toEqual(false),
        "error askConfirmation": null,
      },
    },
    [`${path}copying`]: {
      after: ["secret.copy"],
      holds: ({ context, calls }) => isCalling("copyText", { text: text(context) })({ calls }),
    },
    [`${path}awaitingDismissal`]: confirmationInvariant(question, {
      "secret.dismiss": ({ before }) => expect(Object.values(before.copied)).not.toContain("copied"),
    }),
  };
};
