import { sql } from "kysely";
import type { DbOrTx } from "../db/index.ts";

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
      select id, stage_id from leads where id = ${move.leadId}::uuid and owner_id = ${move.ownerId}::uuid for update
    ), moved as (
      update leads l set stage_id = ${move.toStageId}::uuid, stage_entry_epoch = l.stage_entry_epoch + 1, followup_order_sent = 0,
        last_followup_sent_at = null, stage_entered_at = ${move.at}::timestamptz
        ${keyword === null ? sql`, last_user_message_at = null` : sql``}
      from before where l.id = before.id
      returning l.id, l.owner_id, before.stage_id as from_stage_id, l.stage_entry_epoch
    )
    insert into stage_history (owner_id, lead_id, from_stage_id, to_stage_id, reason, keyword, message_id, rules_version, epoch, at)
    select owner_id, id, from_stage_id, ${move.toStageId}::uuid, ${move.by.reason}, ${keyword?.keyword ?? null}, ${keyword?.messageId ?? null}::int,
      ${keyword?.rulesVersion ?? null}::int, stage_entry_epoch, ${move.at}::timestamptz
    from moved returning lead_id as id`.execute(tx);
  return rows.length > 0;
}
