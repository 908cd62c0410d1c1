import { sql } from "kysely";
import type { DbOrTx } from "../db/index.ts";
import { keepSends } from "../outbox/index.ts";
import { keepTold } from "../reminders/index.ts";

export type StageMove = {
  ownerId: string;
  leadId: string;
  toStageId: string;
  /** when the lead entered the stage: the message's own time for a keyword, the clock's for a hand */
  at: string;
  by: { reason: "manual" } | { reason: "keyword"; keyword: string; messageId: number; rulesVersion: number };
};

/**
 * Moves a lead: raises its stage-entry epoch, resets the follow-up cursor and writes the history, in the caller's transaction.
 * Only a move by hand also forgets the lead's last word, which arms automation again.
 * @returns false when the lead is not the owner's
 */
export async function moveLead(tx: DbOrTx, move: StageMove): Promise<boolean> {
  const keyword = move.by.reason === "keyword" ? move.by : null;
  const { rows } = await sql<{ id: string }>`
    with before as (
      select id, stage_id, followup_order_sent, last_followup_sent_at, last_user_message_at, stage_entered_at from leads where id = ${move.leadId}::uuid and owner_id = ${move.ownerId}::uuid for no key update
    ), moved as (
      update leads l set stage_id = ${move.toStageId}::uuid, stage_entry_epoch = l.stage_entry_epoch + 1, followup_order_sent = 0,
        last_followup_sent_at = null, stage_entered_at = ${move.at}::timestamptz
        ${keyword === null ? sql`, last_user_message_at = null` : sql``}
      from before where l.id = before.id
      returning l.id, l.owner_id, before.stage_id as from_stage_id, l.stage_entry_epoch, to_jsonb(before) - 'id' - 'stage_id' as undo
    )
    insert into stage_history (owner_id, lead_id, from_stage_id, to_stage_id, reason, keyword, message_id, rules_version, epoch, at, undo)
    select owner_id, id, from_stage_id, ${move.toStageId}::uuid, ${move.by.reason}, ${keyword?.keyword ?? null}, ${keyword?.messageId ?? null}::int,
      ${keyword?.rulesVersion ?? null}::int, stage_entry_epoch, ${move.at}::timestamptz, ${keyword === null ? sql`undo` : sql`null`}
    from moved returning lead_id as id`.execute(tx);
  return rows.length > 0;
}

/** How long a move by hand may be taken back. */
const UNDO_SECONDS = 60;

/**
 * Takes the newest move of a lead back, in the caller's transaction, if it was made by hand within a minute and nothing was sent in
 * the new stage: the lead is where it was, with the follow-ups that it had got. The entry's number rises again, so that nothing planned
 * for the other stage goes out, and the move leaves the history, so that no figure counts it.
 * @param move.at now
 * @returns false when there is no such move
 */
export async function undoMove(
  tx: DbOrTx,
  { ownerId, leadId, at }: { ownerId: string; leadId: string; at: string },
): Promise<boolean> {
  const { rows } = await sql<{ left_epoch: number; epoch: number; moved_at: string }>`
    with last as (
      select id, from_stage_id, reason, epoch, at, undo from stage_history
      where lead_id = ${leadId}::uuid and owner_id = ${ownerId}::uuid order by id desc limit 1
    ), restored as (
      update leads l set stage_id = last.from_stage_id, stage_entry_epoch = l.stage_entry_epoch + 1,
        followup_order_sent = (undo->>'followup_order_sent')::int, last_followup_sent_at = (undo->>'last_followup_sent_at')::timestamptz,
        last_user_message_at = greatest(l.last_user_message_at, (undo->>'last_user_message_at')::timestamptz),
        stage_entered_at = (undo->>'stage_entered_at')::timestamptz
      from last join stages s on s.id = last.from_stage_id
      where l.id = ${leadId}::uuid and l.owner_id = ${ownerId}::uuid and last.reason = 'manual' and last.undo is not null
        and last.epoch = l.stage_entry_epoch and l.followup_order_sent = 0
        and last.at > ${at}::timestamptz - make_interval(secs => ${UNDO_SECONDS})
      returning last.id, last.epoch - 1 as left_epoch, l.stage_entry_epoch as epoch, last.at as moved_at
    ), forgotten as (
      delete from stage_history where id in (select id from restored)
    )
    select left_epoch, epoch, moved_at from restored`.execute(tx);
  const undone = rows[0];
  if (undone === undefined) return false;
  const entry = { leadId, from: undone.left_epoch, to: undone.epoch };
  await keepSends(tx, { ...entry, ownerId, since: undone.moved_at });
  await keepTold(tx, entry);
  return true;
}
