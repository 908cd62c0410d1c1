import type { BatchAnswer } from "../../services/batch.ts";
import type { FailureText } from "../kit/failed.ts";
import { leadsText } from "../../language/format.ts";

export const BATCH_FAILED: FailureText = {
  refused: "Nothing was changed. Try again.",
  unknown: "Some leads may have been changed. Try again: nothing is done twice.",
};
export const UNDO_FAILED: FailureText = {
  refused: "The change was not undone.",
  unknown: "The change may have been undone.",
};

export const STOP_FAILED: FailureText = {
  refused: "It could not be stopped.",
  unknown: "It may have been stopped.",
};

/** A step back over many leads goes on by itself. */
export const undoneWords = (answer: BatchAnswer): string => ("jobId" in answer ? "Being taken back." : "Taken back.");

/** What is asked before people are excluded, with what goes by it. */
export const exclusionQuestion = (count: number): string =>
  `${count === 1 ? "Is this person" : `Are these ${leadsText(count)}`} not ${count === 1 ? "a lead" : "leads at all"}?\n\n` +
  `${count === 1 ? "The conversation, notes, tags and fields of this person go" : "Their conversations, notes, tags and fields go"}, ` +
  "and nothing they write is stored from now on. You can undo it for 30 seconds. Restored later, under Settings, they start anew.";

type Outcome = { asked: { did: string } | null; outcome: { changed: number | null }; isUndoing: boolean };

/** `812 leads moved to Interested.` */
export function outcomeWords({ asked, outcome, isUndoing }: Outcome): string {
  const count = leadsText(outcome.changed ?? 0);
  return isUndoing ? `Taken back for ${count}.` : `${count} ${asked?.did ?? "changed"}.`;
}
