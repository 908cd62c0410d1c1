import { msg, plural } from "@lingui/core/runtime-macro";
import type { BatchAction } from "../../../domain/batch.ts";
import type { UiText } from "../../../domain/ui-text.ts";
import type { BatchAnswer } from "../../services/batch.ts";
import type { FailureText } from "../kit/writing.ts";
import { dayText } from "../../language/format.ts";

export const BATCH_FAILED: FailureText = {
  refused: msg`Nothing was changed. Try again.`,
  unknown: msg`Some leads may have been changed. Try again: nothing is done twice.`,
};
export const UNDO_FAILED: FailureText = {
  refused: msg`The change was not undone.`,
  unknown: msg`The change may have been undone.`,
};

export const STOP_FAILED: FailureText = {
  refused: msg`It could not be stopped.`,
  unknown: msg`It may have been stopped.`,
};

/** Says that the undo is done, or that it runs in the background for very many leads. */
export const undoneMessage = (answer: BatchAnswer): UiText => ("jobId" in answer ? msg`Undoing…` : msg`Undone.`);

/** Asks before people are excluded, and says what is deleted. */
export const exclusionQuestion = (count: number): UiText =>
  msg`${plural(
    { count },
    {
      one: "Is this person not a lead?\n\nTheir conversation, notes, tags and fields are deleted, and nothing they write is stored from now on. You can undo this for 30 seconds. If you restore them later in Settings, they start from scratch.",
      other:
        "Are these # leads not leads at all?\n\nTheir conversations, notes, tags and fields are deleted, and nothing they write is stored from now on. You can undo this for 30 seconds. If you restore them later in Settings, they start from scratch.",
    },
  )}`;

type Done = (count: number, about: string) => UiText;

const DONE: Record<BatchAction["type"], Done> = {
  move: (count, stage) =>
    stage === ""
      ? msg`${plural({ count }, { one: "# lead moved.", other: "# leads moved." })}`
      : msg`${plural({ count }, { one: msg`# lead moved to ${{ stage }}.`, other: msg`# leads moved to ${{ stage }}.` })}`,
  tag: (count, tag) =>
    msg`${plural({ count }, { one: msg`# lead tagged ${{ tag }}.`, other: msg`# leads tagged ${{ tag }}.` })}`,
  untag: (count, tag) =>
    msg`${plural({ count }, { one: msg`# lead without ${{ tag }} now.`, other: msg`# leads without ${{ tag }} now.` })}`,
  hold: (count, day) =>
    day === ""
      ? msg`${plural({ count }, { one: "# lead held.", other: "# leads held." })}`
      : msg`${plural({ count }, { one: msg`# lead held until ${{ day: dayText(day) }}.`, other: msg`# leads held until ${{ day: dayText(day) }}.` })}`,
  resume: (count) => msg`${plural({ count }, { one: "# lead resumed.", other: "# leads resumed." })}`,
  exclude: (count) => msg`${plural({ count }, { one: "# lead excluded.", other: "# leads excluded." })}`,
};

type Outcome = {
  requested: { action: Pick<BatchAction, "type">; about: string } | null;
  outcome: { changed: number | null };
  isUndoing: boolean;
};

/** Says what was done, or undone, to how many leads. */
export function outcomeMessage({ requested, outcome, isUndoing }: Outcome): UiText {
  const count = outcome.changed ?? 0;
  if (isUndoing) return msg`${plural({ count }, { one: "Taken back for # lead.", other: "Taken back for # leads." })}`;
  return requested === null
    ? msg`${plural({ count }, { one: "# lead changed.", other: "# leads changed." })}`
    : DONE[requested.action.type](count, requested.about);
}
