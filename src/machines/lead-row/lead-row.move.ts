import { msg } from "@lingui/core/runtime-macro";
import type { Lead } from "../../../domain/lead.ts";
import { type FailureText, type WritingPage, writeInBackground } from "../kit/writing.ts";

export const MOVE_FAILED: FailureText = {
  refused: msg`The lead was not moved. Choose again.`,
  unknown: msg`The lead may have been moved.`,
};

/** A move resets the lead's follow-ups and last reply; a read returns when it entered the stage. */
export const movedLead = (lead: Lead, stageId: string | null): Lead => ({
  ...lead,
  stage_id: stageId,
  stage_entered_at: null,
  followup_order_sent: 0,
  last_followup_sent_at: null,
  last_user_message_at: null,
});

/** Undoes a lead's newest move within a minute, and restores its stage and follow-ups. */
export type MoveUndo = { undoStage(input: { leadId: string }): Promise<void> };

/** The list that shows a lead, as its row uses it. */
export type RowsList = {
  send(event: { type: "list.reload" } | { type: "lead.changed"; id: string }): void;
  getSnapshot(): { status: string };
};

type Move = { leadId: string; list: RowsList | null };

const UNDO_FAILED: FailureText = {
  refused: msg`The stage change could not be undone. Choose the stage again.`,
  unknown: msg`The stage change may have been undone.`,
};

/** Shows one toast for a move, with Undo. The toast belongs to the page and outlives the screen. */
export const announceMove = (page: WritingPage, leads: MoveUndo, move: Move): void =>
  page.notifier.toast(msg`Lead stage updated`, {
    undo: { label: msg`Undo`, onPress: () => void undoMove(page, leads, move) },
    afterwards: msg`The lead was moved.`,
  });

async function undoMove(page: WritingPage, leads: MoveUndo, { leadId, list }: Move): Promise<void> {
  const isUndone = await writeInBackground(page, () => leads.undoStage({ leadId }), {
    done: () => msg`The lead is back where it was.`,
    failed: UNDO_FAILED,
    what: "a stage change was not undone",
  });
  if (list?.getSnapshot().status !== "active") return;
  list.send(isUndone ? { type: "list.reload" } : { type: "lead.changed", id: leadId });
}
