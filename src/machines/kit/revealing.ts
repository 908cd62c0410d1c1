import type { UiTextOrString } from "../../../domain/ui-text.ts";
import { asking } from "./confirming.ts";

/** What a person, shown a secret for the only time, can do. `what` names one of the texts it stands in. */
export type RevealingEvent = { type: "secret.copy"; what: string } | { type: "secret.dismiss" };

/** What became of the copying: which text is being copied, and the outcome of each that was. */
export type Copies = { copying: string | null; copied: Readonly<Record<string, "copied" | "refused">> };

export const NO_COPIES: Copies = { copying: null, copied: {} };

/** The chart's context after an attempt to copy. */
export const withCopy = ({ copying, copied }: Copies, outcome: "copied" | "refused"): Copies => ({
  copying: null,
  copied: copying === null ? copied : { ...copied, [copying]: outcome },
});

/** Whether the secret is in the clipboard, by any of its texts. */
export const isCopied = ({ copied }: Copies): boolean => Object.values(copied).includes("copied");

type Text<Input> = (args: Input) => { text: string };

/**
 * The states of a secret that is shown once: it goes when the person says so, and after a question where they have not
 * copied it. Needs `copyText`, `askConfirmation`, the actions `storeCopying` and `storeCopied` and the guards
 * `hasCopied` and `isConfirmed` in the chart's setup; whoever enters `closed` forgets the secret.
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
        actions: {
          type: "storeCopying" as const,
          params: ({ event }: { event: { what: string } }) => ({ what: event.what }),
        },
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
  awaitingDismissal: asking<Closed, "revealed", Input>({ message: question }, { yes: closed, no: "revealed" }),
});
