import { sql, type RawBuilder } from "kysely";
import type { BatchAction } from "../../domain/batch.ts";
import { excludeLeads } from "../exclusions/exclude.ts";
import { moveLeads } from "../leads/stage-move.ts";
import { pastReceived } from "../leads/automation.ts";
import { holdSendsOfAll, withdrawStepsOfAll } from "../outbox/entry.ts";
import type { Tx } from "../db/index.ts";

/** Some leads of a batch, to change in the caller's transaction. `byKey` is the name of the API key that started the batch. */
export type Slice = {
  batchId: string;
  ownerId: string;
  /** sorted, the order in which all code locks leads */
  leadIds: readonly string[];
  /** positions of the first and the last lead in the batch */
  first: number;
  last: number;
  at: string;
  byKey: string | null;
};

/** Selects a slice's rows among targets `t` by position: with the batch id alone, the plan would read the whole batch. */
export const targetsOf = ({ batchId, first, last }: Pick<Slice, "batchId" | "first" | "last">) =>
  sql`t.batch_id = ${batchId}::uuid and t.n between ${first} and ${last}`;

/** A stage or all tags that the action needs were deleted; the batch fails with this reason. */
export class ActionGone extends Error {
  readonly code: "batch_stage_gone" | "batch_tags_gone";

  constructor(code: ActionGone["code"]) {
    super(code);
    this.code = code;
  }
}

/** Stores each lead's previous state in its target row, for undo. */
const note = (slice: Slice, undo: RawBuilder<unknown>, from: RawBuilder<unknown>) =>
  sql`update lead_batch_targets t set undo = ${undo} from ${from} where ${targetsOf(slice)} and t.lead_id = x.lead_id
    returning t.lead_id`;

const insertEvents = (slice: Slice, type: string, detail: RawBuilder<unknown>, from: RawBuilder<unknown>) =>
  sql`insert into lead_events (owner_id, lead_id, type, by_kind, by_name, detail, at)
    select ${slice.ownerId}::uuid, lead_id, ${type}, ${slice.byKey === null ? "person" : "key"}::text, ${slice.byKey}::text, ${detail}, ${slice.at}::timestamptz from ${from} returning id, lead_id`;

/**
 * Applies an action to a slice of leads, like the call for one lead, and stores what undo needs.
 * @returns the number of changed leads
 * @throws ActionGone when the stage, or every tag, was deleted in the meantime
 */
export function act(tx: Tx, slice: Slice, action: BatchAction): Promise<number> {
  switch (action.type) {
    case "move":
      return move(tx, slice, action.stage_id);
    case "tag":
      return tag(tx, slice, action.tag_ids);
    case "untag":
      return untag(tx, slice, action.tag_ids);
    case "hold":
      return hold(tx, slice, action.until ?? null);
    case "resume":
      return resume(tx, slice);
    default:
      return exclude(tx, slice);
  }
}

/** Returns the number of leads that a statement changed. */
export const affected = async (tx: Tx, statement: RawBuilder<unknown>): Promise<number> =>
  (await statement.execute(tx)).rows.length;

async function move(tx: Tx, slice: Slice, toStageId: string): Promise<number> {
  const stage = await tx
    .selectFrom("stages")
    .select("id")
    .where("id", "=", toStageId)
    .where("owner_id", "=", slice.ownerId)
    .forKeyShare()
    .executeTakeFirst();
  if (stage === undefined) throw new ActionGone("batch_stage_gone");
  return moveLeads(tx, { ...slice, toStageId });
}

/** Selects the slice's leads and locks them until the end of the transaction. */
export const lockLeads = ({ ownerId, leadIds }: Pick<Slice, "ownerId" | "leadIds">) =>
  sql`select id as lead_id, held_at, held_until, held_from, followup_order_sent, stage_entry_epoch, opted_out_at from leads
    where owner_id = ${ownerId}::uuid and id = any(${leadIds}::uuid[]) order by id for no key update`;

async function tag(tx: Tx, slice: Slice, tagIds: readonly string[]): Promise<number> {
  const { rows: tags } =
    await sql`select id from tags where owner_id = ${slice.ownerId}::uuid and id = any(${tagIds}::uuid[])
    and deleted_at is null order by id for key share`.execute(tx);
  if (tags.length === 0) throw new ActionGone("batch_tags_gone");
  return affected(
    tx,
    sql`with l as (${lockLeads(slice)}), added as (
      insert into lead_tags (owner_id, tag_id, lead_id)
      select ${slice.ownerId}::uuid, g.id, l.lead_id from l cross join tags g where g.owner_id = ${slice.ownerId}::uuid and g.id = any(${tagIds}::uuid[])
        and g.deleted_at is null
      on conflict do nothing returning id, tag_id, lead_id
    ), a as (
      select lead_id, jsonb_agg(added.id::text) as ids, jsonb_agg(jsonb_build_object('id', g.id, 'name', g.name) order by lower(g.name)) as tags
      from added join tags g on g.id = added.tag_id group by lead_id
    ), events as (${insertEvents(slice, "tags_changed", sql`jsonb_build_object('added', tags, 'removed', '[]'::jsonb)`, sql`a`)}),
    x as (select a.lead_id, a.ids, events.id as event from a join events on events.lead_id = a.lead_id)
    ${note(slice, sql`jsonb_build_object('added', x.ids, 'event', x.event::text)`, sql`x`)}`,
  );
}

const untag = (tx: Tx, slice: Slice, tagIds: readonly string[]): Promise<number> =>
  affected(
    tx,
    sql`with l as (${lockLeads(slice)}), removed as (
      delete from lead_tags d using l where d.lead_id = l.lead_id and d.owner_id = ${slice.ownerId}::uuid and d.tag_id = any(${tagIds}::uuid[])
      returning d.id, d.tag_id, d.lead_id
    ), a as (
      select lead_id, jsonb_agg(jsonb_build_object('id', removed.id::text, 'tag_id', removed.tag_id)) as rows,
        jsonb_agg(jsonb_build_object('id', g.id, 'name', g.name) order by lower(g.name)) as tags
      from removed join tags g on g.id = removed.tag_id group by lead_id
    ), events as (${insertEvents(slice, "tags_changed", sql`jsonb_build_object('added', '[]'::jsonb, 'removed', tags)`, sql`a`)}),
    x as (select a.lead_id, a.rows, events.id as event from a join events on events.lead_id = a.lead_id)
    ${note(slice, sql`jsonb_build_object('removed', x.rows, 'event', x.event::text)`, sql`x`)}`,
  );

/** The values that undoing a hold or a resume restores. Both change `followup_order_sent` only for leads of a deleted stage. */
const heldBefore = sql`'held_at', x.held_at, 'held_until', x.held_until, 'held_from', x.held_from, 'epoch', x.stage_entry_epoch,
  'followup_order_sent', case when x.held_from is not null then x.followup_order_sent end`;

async function hold(tx: Tx, slice: Slice, until: string | null): Promise<number> {
  await holdSendsOfAll(tx, slice);
  const end = sql`${until}::timestamptz`;
  const changed = await affected(
    tx,
    sql`with l as (${lockLeads(slice)}), held as (
      update leads set followup_order_sent = ${pastReceived}, held_at = ${slice.at}::timestamptz, held_until = ${end},
        held_from = null from l
      where leads.id = l.lead_id
        and (l.held_from is not null or not (l.held_at is not null and l.held_until is not distinct from ${end}))
      returning l.lead_id, l.held_at, l.held_until, l.held_from, l.followup_order_sent, l.stage_entry_epoch
    ), events as (${insertEvents(slice, "held", sql`jsonb_build_object('until', ${until}::text)`, sql`held`)}),
    x as (select held.*, events.id as event from held join events on events.lead_id = held.lead_id)
    ${note(
      slice,
      sql`jsonb_build_object(${heldBefore}, 'at', ${slice.at}::text, 'until', ${until}::text, 'event', x.event::text)`,
      sql`x`,
    )}`,
  );
  await withdrawStepsOfAll(tx, slice);
  return changed;
}

async function resume(tx: Tx, slice: Slice): Promise<number> {
  await holdSendsOfAll(tx, slice);
  return affected(
    tx,
    sql`with l as (${lockLeads(slice)}), resumed as (
      update leads set followup_order_sent = ${pastReceived}, held_at = null, held_until = null, held_from = null,
        opted_out_at = null from l
      where leads.id = l.lead_id and (l.held_at is not null or l.opted_out_at is not null)
      returning l.lead_id, l.held_at, l.held_until, l.held_from, l.followup_order_sent, l.stage_entry_epoch, l.opted_out_at
    ), events as (${insertEvents(slice, "resumed", sql`'{}'::jsonb`, sql`resumed`)}),
    x as (select resumed.*, events.id as event from resumed join events on events.lead_id = resumed.lead_id)
    ${note(
      slice,
      sql`jsonb_build_object(${heldBefore}, 'opted_out_at', x.opted_out_at, 'event', x.event::text)`,
      sql`x`,
    )}`,
  );
}

async function exclude(tx: Tx, slice: Slice): Promise<number> {
  const excluded = await excludeLeads(tx, { ...slice, undoUntil: null });
  const people = sql`(select unnest(${excluded}::uuid[]) as lead_id) x`;
  return affected(tx, note(slice, sql`'{}'::jsonb`, people));
}
