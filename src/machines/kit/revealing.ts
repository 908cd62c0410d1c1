import type { UiTextOrString } from "../../../domain/ui-text.ts";
import { withEvent } from "./chart.ts";
import { confirmState } from "./confirming.ts";

/** Actions on a secret that is shown once. `what` names one of the texts that contain it. */
export type RevealingEvent = { type: "secret.copy"; what: string } | { type: "secret.dismiss" };

/** Which text is being copied, and the outcome of earlier copies. */
export type Copies = { copying: string | null; copied: Readonly<Record<string, "copied" | "refused">> };

export const NO_COPIES: Copies = { copying: null, copied: {} };

/** Returns the context after an attempt to copy. */
export const withCopy = ({ copying, copied }: Copies, outcome: "copied" | "refused"): Copies => ({
  copying: null,
  copied: copying === null ? copied : { ...copied, [copying]: outcome },
});

export const isCopied = ({ copied }: Copies): boolean => Object.values(copied).includes("copied");

type Text<Input> = (args: Input) => { text: string };

/**
 * Returns the states of a secret that is shown once. Dismissing it needs a confirmation unless it was copied. Needs `copyText`,
 * `askConfirmation`, the actions `storeCopying` and `storeCopied` and the guards `hasCopied` and `isConfirmed` in the chart's setup.
 * The chart clears the secret when it enters `closed`.
 */
export const revealing = <const Closed extends string, Input>({
  text,
  question,
  closed,
}: {
  text: Text<Input>;
  question: UiTextOrString;
  closed: Closed;
}) => ({
  revealed: {
    on: {
      "secret.copy": {
        target: "copying" as const,
        actions: withEvent("storeCopying"),
      },
      "secret.dismiss": [{ guard: "hasCopied" as const, target: closed }, { target: "awaitingDismissal" as const }],
    },
  },
  copying: {
    invoke: {
      id: "copyText" as const,
      src: "copyText" as const,
      input: text,
      onDone: {
        target: "revealed" as const,
        actions: { type: "storeCopied" as const, params: { outcome: "copied" as const } },
      },
      onError: {
        target: "revealed" as const,
        actions: { type: "storeCopied" as const, params: { outcome: "refused" as const } },
      },
    },
  },
  awaitingDismissal: confirmState({ message: question }, { yes: closed, no: "revealed" }),
});
