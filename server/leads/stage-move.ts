import { sql, type RawBuilder } from "kysely";
import { DONE } from "../lead-rows/conversation-state.ts";
import { ownHold } from "../lead-rows/lead.ts";
import type { DbOrTx, Tx } from "../db/index.ts";
import { carrySendsOver } from "../outbox/entry.ts";
import { carryReminderMarksOver } from "../reminders/plan.ts";

export type StageMove = {
  ownerId: string;
  leadId: string;
  toStageId: string;
  /** when the lead entered the stage: the message's time for a keyword, the current time for a manual move */
  at: string;
  /** `key` names the API key that moved it; without one the user did */
  by:
    | { reason: "manual"; key?: string | null }
    | { reason: "keyword"; keyword: string; messageId: number; rulesVersion: number };
};

/** The values of `before` that an undo of a manual move restores. */
const AS_IT_WAS = sql`jsonb_build_object('followup_order_sent', before.followup_order_sent, 'last_followup_sent_at', before.last_followup_sent_at,
  'last_user_message_at', before.last_user_message_at, 'stage_entered_at', before.stage_entered_at,
  'waiting_since', before.waiting_since, 'done_at', before.done_at, 'held_from', before.held_from, 'held_at', case when before.held_from is not null then before.held_at end)`;

/** The columns that a manual move resets. */
const BEFORE = sql`id, stage_id, followup_order_sent, last_followup_sent_at, last_user_message_at, stage_entered_at, held_from, held_at,
  waiting_since, done_at`;

/**
 * Further assignments of a manual move: it marks the lead's messages as done, and ends the hold of a lead whose stage was deleted. The
 * user's own earlier hold continues.
 */
const BY_HAND = sql`last_user_message_at = null, ${DONE}, held_from = null,
  held_at = ${ownHold("l", "held_at")}, held_until = ${ownHold("l", "held_until")}`;

/**
 * Moves a lead: increments its stage-entry epoch, resets the follow-up cursor and writes the history, in the caller's transaction. Only a
 * manual move also clears the lead's last message, which re-arms automation. A lead that is already in the stage is unchanged, unless it is
 * held there because its previous stage was deleted.
 * @returns false when the lead is unchanged or not the owner's
 */
export async function moveLead(tx: DbOrTx, move: StageMove): Promise<boolean> {
  const keyword = move.by.reason === "keyword" ? move.by : null;
  const byKey = move.by.reason === "manual" ? (move.by.key ?? null) : null;
  const { rows } = await sql<{ id: string }>`
    with before as (
      select ${BEFORE} from leads where id = ${move.leadId}::uuid and owner_id = ${move.ownerId}::uuid
        and (stage_id is distinct from ${move.toStageId}::uuid or held_from is not null) for no key update
    ), moved as (
      update leads l set stage_id = ${move.toStageId}::uuid, stage_entry_epoch = l.stage_entry_epoch + 1, followup_order_sent = 0,
        last_followup_sent_at = null, stage_entered_at = ${move.at}::timestamptz
        ${keyword === null ? sql`, ${BY_HAND}` : sql``}
      from before where l.id = before.id
      returning l.id, l.owner_id, before.stage_id as from_stage_id, l.stage_entry_epoch, ${AS_IT_WAS} as undo
    )
    insert into stage_history (owner_id, lead_id, from_stage_id, to_stage_id, reason, keyword, message_id, rules_version, epoch, by_key, at, undo)
    select owner_id, id, from_stage_id, ${move.toStageId}::uuid, ${move.by.reason}, ${keyword?.keyword ?? null}, ${keyword?.messageId ?? null}::int,
      ${keyword?.rulesVersion ?? null}::int, stage_entry_epoch, ${byKey}::text, ${move.at}::timestamptz, ${keyword === null ? sql`undo` : sql`null`}
    from moved returning lead_id as id`.execute(tx);
  return rows.length > 0;
}

/** Assignments that restore lead `l` from a history row of a manual move. Skipped steps stay skipped under the new epoch. */
const beforeMove = (history: string) => {
  const [undo, from] = [sql.ref(`${history}.undo`), sql.ref(`${history}.from_stage_id`)];
  // Nothing was sent to the lead since.
  const isStillWaiting = sql`coalesce((${undo}->>'waiting_since')::timestamptz >= coalesce(l.last_outbound_at, '-infinity'), false)`;
  return sql`stage_id = ${from}, stage_entry_epoch = l.stage_entry_epoch + 1,
    followup_order_sent = (${undo}->>'followup_order_sent')::int, last_followup_sent_at = (${undo}->>'last_followup_sent_at')::timestamptz,
    last_user_message_at = greatest(l.last_user_message_at, (${undo}->>'last_user_message_at')::timestamptz),
    stage_entered_at = (${undo}->>'stage_entered_at')::timestamptz,
    waiting_since = case when ${isStillWaiting} then least(l.waiting_since, (${undo}->>'waiting_since')::timestamptz) else l.waiting_since end,
    done_at = case when ${isStillWaiting} then (${undo}->>'done_at')::timestamptz else l.done_at end,
    held_from = coalesce((${undo}->>'held_from')::uuid, l.held_from), held_at = coalesce((${undo}->>'held_at')::timestamptz, l.held_at),
    held_until = case when ${undo}->>'held_from' is null then l.held_until end,
    skipped_epoch = case when l.skipped_epoch = l.stage_entry_epoch - 1 then l.stage_entry_epoch + 1 else l.skipped_epoch end`;
};

/** How long a manual move can be undone. */
const UNDO_SECONDS = 60;

/**
 * Undoes a lead's newest move, in the caller's transaction, if it was made manually within a minute and nothing was sent in the new stage.
 * The lead gets back its stage and its follow-up progress. The epoch rises again, so that nothing planned for the other stage is sent, and
 * the move leaves the history, so that no statistic counts it.
 * @param move.at now
 * @returns true also if the move was already undone within the last minute, false if there is no such move
 */
export async function undoMove(
  tx: DbOrTx,
  { ownerId, leadId, at }: { ownerId: string; leadId: string; at: string },
): Promise<boolean> {
  const { rows } = await sql<{ moved_at: string }>`
    with last as (
      select id, from_stage_id, reason, epoch, at, undo from stage_history
      where lead_id = ${leadId}::uuid and owner_id = ${ownerId}::uuid order by id desc limit 1
    ), restored as (
      update leads l set ${beforeMove("last")}
      from last left join stages s on s.id = last.from_stage_id
      where (last.from_stage_id is null or s.id is not null) and l.id = ${leadId}::uuid and l.owner_id = ${ownerId}::uuid and last.reason = 'manual' and last.undo is not null
        and last.epoch = l.stage_entry_epoch and l.followup_order_sent = 0
        and last.at > ${at}::timestamptz - make_interval(secs => ${UNDO_SECONDS})
      returning last.id, last.at as moved_at
    ), forgotten as (
      delete from stage_history where id in (select id from restored)
    )
    select moved_at from restored`.execute(tx);
  const undone = rows[0];
  if (undone === undefined) return wasJustUndone(tx, { ownerId, leadId, at });
  await keepUndo(tx, { ownerId, leadId, at });
  await carrySendsOver(tx, { ownerId, leadIds: [leadId], since: undone.moved_at });
  await carryReminderMarksOver(tx, [leadId]);
  return true;
}

/** The key under which a lead's last undo is stored. No request can use it, because idempotency keys contain no spaces. */
const undoKey = (leadId: string): string => `stage undo ${leadId}`;

/** Stores the lead's new epoch, so that a repeated request gets the same response. */
const keepUndo = (tx: DbOrTx, { ownerId, leadId, at }: { ownerId: string; leadId: string; at: string }) =>
  sql`insert into request_keys (owner_id, key, fingerprint, at)
    select owner_id, ${undoKey(leadId)}, stage_entry_epoch::text, ${at}::timestamptz from leads
    where id = ${leadId}::uuid and owner_id = ${ownerId}::uuid
    on conflict (owner_id, key) do update set fingerprint = excluded.fingerprint, at = excluded.at`.execute(tx);

/** True if the lead's last move was undone within the last minute, and the lead has not moved since. */
async function wasJustUndone(
  tx: DbOrTx,
  { ownerId, leadId, at }: { ownerId: string; leadId: string; at: string },
): Promise<boolean> {
  const { rows } = await sql`
    select from request_keys k join leads l on l.owner_id = k.owner_id and l.stage_entry_epoch::text = k.fingerprint
    where k.owner_id = ${ownerId}::uuid and k.key = ${undoKey(leadId)} and l.id = ${leadId}::uuid
      and k.at > ${at}::timestamptz - make_interval(secs => ${UNDO_SECONDS})`.execute(tx);
  return rows.length > 0;
}

/**
 * Moves many leads manually, as `moveLead` does for one, in the caller's transaction. Leads already in the stage are unchanged.
 * @param leads.batchId stored with each move; `undoMoves` undoes by it
 * @returns how many were moved
 */
export async function moveLeads(
  tx: Tx,
  leads: {
    ownerId: string;
    leadIds: readonly string[];
    toStageId: string;
    at: string;
    byKey: string | null;
    batchId: string;
  },
): Promise<number> {
  const { ownerId, leadIds, toStageId, at, byKey, batchId } = leads;
  const { rows } = await sql<{ held: number; moved: number }>`
    with before as (
      select ctid as row, ${BEFORE} from leads
      where id = any(${leadIds}::uuid[]) and owner_id = ${ownerId}::uuid and stage_id is distinct from ${toStageId}::uuid
      order by id for no key update
    ), moved as (
      update leads l set stage_id = ${toStageId}::uuid, stage_entry_epoch = l.stage_entry_epoch + 1, followup_order_sent = 0,
        last_followup_sent_at = null, stage_entered_at = ${at}::timestamptz, ${BY_HAND}
      from before where l.ctid = before.row
      returning l.id, before.stage_id as from_stage_id, l.stage_entry_epoch, ${AS_IT_WAS} as undo
    ), told as (
      insert into stage_history (owner_id, lead_id, from_stage_id, to_stage_id, reason, epoch, by_key, at, undo, batch_id)
      select ${ownerId}::uuid, id, from_stage_id, ${toStageId}::uuid, 'manual', stage_entry_epoch, ${byKey}::text, ${at}::timestamptz, undo, ${batchId}::uuid
      from moved returning lead_id
    )
    select (select count(*)::int from before) as held, count(*)::int as moved from told`.execute(tx);
  const { held = 0, moved = 0 } = rows[0] ?? {};
  // Rows are joined by ctid. A row that another transaction updated has moved, but is locked by now, so a second pass finds it.
  return held > moved ? moved + (await moveLeads(tx, leads)) : moved;
}

/** True if a batch moved a lead and the move is not undone. Checked per lead; a join would read the history of all owners. */
export const isMovedBy = (batchId: RawBuilder<unknown>, leadId: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`exists (select from stage_history h where h.lead_id = ${leadId} and h.batch_id = ${batchId} offset 0)`;

/**
 * Locks leads in the common lock order.
 * @returns their row positions, and whether some return to a skipped step
 */
async function holdMoved(tx: Tx, { ownerId, leadIds }: { ownerId: string; leadIds: readonly string[] }) {
  const { rows } = await sql<{ ids: string; rows: string; is_back: boolean }>`
    select coalesce(array_agg(l.id)::text, '{}') as ids, coalesce(array_agg(l.row)::text, '{}') as rows,
      coalesce(bool_or(l.is_back), false) as is_back
    from (
      select id, ctid as row, skipped_epoch = stage_entry_epoch - 1 as is_back from leads
      where owner_id = ${ownerId}::uuid and id = any(${leadIds}::uuid[]) order by id for no key update
    ) l`.execute(tx);
  return rows[0] ?? { ids: "{}", rows: "{}", is_back: false };
}

/**
 * Locks the due rows of leads in the common lock order, if some return to a skipped step. The update writes those rows after all others; a
 * concurrent planner, which locks in order, would deadlock with it.
 */
const holdDue = (tx: Tx, leadIds: readonly string[]) =>
  sql`select count(*) from (
    select from lead_due where lead_id = any(${leadIds}::uuid[]) order by lead_id for update) d`.execute(tx);

/**
 * Undoes a batch's moves of leads, as `undoMove` does for one, in the caller's transaction, if they are still the newest moves and nothing
 * was sent since.
 * @param moves.since when the first move was made
 * @returns how many leads were restored
 */
export async function undoMoves(
  tx: Tx,
  moves: { ownerId: string; leadIds: readonly string[]; batchId: string; since: string },
): Promise<number> {
  const { ownerId, batchId, since } = moves;
  const held = await holdMoved(tx, moves);
  if (held.is_back) await holdDue(tx, moves.leadIds);
  const { rows } = await sql<{ lead_id: string }>`
    with restored as (
      update leads l set ${beforeMove("h")}
      from unnest(${held.ids}::uuid[], ${held.rows}::tid[]) t (lead_id, row)
      -- Lead by lead: the owner's index would have all of the owner's history read.
      cross join lateral (
        select ctid as row, from_stage_id, epoch, undo from stage_history where lead_id = t.lead_id and batch_id = ${batchId}::uuid offset 0
      ) h
      left join stages s on s.id = h.from_stage_id
      where (h.from_stage_id is null or s.id is not null) and l.ctid = t.row and h.epoch = l.stage_entry_epoch and l.followup_order_sent = 0
      returning h.row, l.id as lead_id
    ), forgotten as (
      delete from stage_history where ctid = any(array(select row from restored))
    )
    select lead_id from restored`.execute(tx);
  if (rows.length === 0) return 0;
  const leadIds = rows.map((row) => row.lead_id);
  await carrySendsOver(tx, { ownerId, leadIds, since });
  await carryReminderMarksOver(tx, leadIds);
  return rows.length;
}
