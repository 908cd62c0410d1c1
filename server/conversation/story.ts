import { sql } from "kysely";
import { readKeyword } from "../../domain/keyword.ts";
import { ledgerMessage, settledFact } from "../../domain/ledger-messages.ts";
import type { LedgerKind } from "../../domain/ledger.ts";
import type { Actor, StepRef, StoryItem, StoryPage, StoryQuery } from "../../domain/story.ts";
import { inEnglish } from "../core/languages.ts";
import { orderOf } from "../lead-rows/step-places.ts";
import type { Db } from "../db/index.ts";
import { requirePeer } from "./messages.ts";

const PREVIEW_CHARS = 120;
const KEY_OF_ROW = sql`case when by_key is not null then 'key' end as by_kind, by_key as by_name`;
const AUTOMATION: Actor = { kind: "automation", name: "Leadloom" };

type Row = {
  key: string;
  at: string;
  type: string;
  reason: string | null;
  from_stage: string | null;
  to_stage: string | null;
  keyword: string | null;
  message_id: number | null;
  kind: LedgerKind | null;
  state: "sent" | "skipped" | "failed" | "unknown" | "would_send" | null;
  step_id: string | null;
  step_order: number | null;
  step_preview: string | null;
  by_kind: Actor["kind"] | null;
  by_name: string | null;
  detail: Record<string, unknown> | null;
  person: string | null;
};

/**
 * Returns what happened to a lead, newest first: stage moves, sends with their results, and other events.
 * @throws ProblemError 404
 */
export async function readStory(
  db: Db,
  of: { ownerId: string; leadId: string },
  query: StoryQuery,
): Promise<StoryPage> {
  await requirePeer(db, of.ownerId, of.leadId);
  const mine = sql`lead_id = ${of.leadId}::uuid and owner_id = ${of.ownerId}::uuid`;
  const isShown = sql`kind <> 'reminder' and (state in ('sent', 'skipped', 'failed', 'unknown', 'would_send') or (state = 'cancelled' and kind = 'reply'))`;
  const { rows } = await sql<Row>`
    with items as (
      select 's' || id as key, 1 as source, id, at, case reason when 'entered' then 'entered' else 'stage_moved' end as type, reason,
        from_stage_id::text as from_stage, to_stage_id::text as to_stage, keyword, message_id, null::text as kind, null::text as state,
        null::uuid as followup_id, null::text as body, ${KEY_OF_ROW}, null::jsonb as detail
      from stage_history where ${mine}
      union all
      select 'o' || id, 2, id, settled_at, 'sent', reason, null, null, null, message_id, kind,
        case state when 'cancelled' then 'failed' else state end, followup_id, left(body, ${PREVIEW_CHARS}), ${KEY_OF_ROW}, null
      from outbox where ${mine} and settled_at is not null and ${isShown}
      union all
      select 'o' || id, 2, id, settled_at, 'sent', reason, null, null, null, message_id, kind,
        case state when 'cancelled' then 'failed' else state end, followup_id, left(excerpt, ${PREVIEW_CHARS}), ${KEY_OF_ROW}, null
      from ledger where ${mine} and ${isShown}
      union all
      select 'e' || id, 3, id, at, type, null, null, null, null, null, null, null, (detail ->> 'followup_id')::uuid, null, by_kind, by_name,
        detail - 'followup_id'
      from lead_events where ${mine}
    )
    select i.key, i.at, i.type, i.reason, i.from_stage, i.to_stage, i.keyword, i.message_id, i.kind, i.state, i.followup_id as step_id,
      ${orderOf("f")} as step_order, coalesce(i.body, left(f.message, ${PREVIEW_CHARS})) as step_preview, i.by_kind, i.by_name, i.detail,
      (select coalesce(nullif(u.name, ''), a.raw_user_meta_data ->> 'name') from auth.users a left join users u on u.id = a.id
        where a.id = ${of.ownerId}::uuid) as person
    from items i left join followups f on f.id = i.followup_id
    where ${query.before === undefined ? sql`true` : sql`(i.at, i.source, i.id) < (select c.at, c.source, c.id from items c where c.key = ${query.before})`}
    order by i.at desc, i.source desc, i.id desc limit ${query.limit + 1}`.execute(db);
  const page = rows.slice(0, query.limit);
  return { items: page.map(itemOf), next: rows.length > page.length ? (page.at(-1)?.key ?? null) : null };
}

function itemOf(row: Row): StoryItem {
  const byHand: Actor =
    row.by_kind === "key" ? { kind: "key", name: row.by_name } : { kind: "person", name: row.person };
  const base = { id: row.key, at: row.at, type: row.type };
  switch (row.type) {
    case "entered":
      return { ...base, by: AUTOMATION, to: row.to_stage, message_id: row.message_id };
    case "stage_moved":
      return {
        ...base,
        by: row.reason === "keyword" ? AUTOMATION : byHand,
        from: row.from_stage,
        to: row.to_stage,
        reason: row.reason,
        keyword: row.keyword === null ? null : readKeyword(row.keyword).text,
        message_id: row.message_id,
      };
    case "sent":
      return {
        ...base,
        by: row.kind === "followup" && row.by_kind === null ? AUTOMATION : byHand,
        kind: row.kind,
        state: row.state,
        step: stepOf(row),
        reason: row.reason,
        ...sentenceOf(row),
        message_id: row.message_id,
      };
    default:
      return {
        ...row.detail,
        ...(row.step_id === null ? {} : { step: stepOf(row) }),
        ...base,
        by: { kind: row.by_kind ?? "person", name: row.by_name ?? row.person },
      };
  }
}

const stepOf = (row: Row): StepRef | null =>
  row.step_id === null ? null : { id: row.step_id, order: row.step_order, preview: row.step_preview ?? "" };

function sentenceOf({ kind, state, reason }: Row): Pick<StoryItem, "words" | "words_code" | "words_params"> {
  if (kind === null || state === null || state === "sent" || reason === null) return { words: null };
  const fact = settledFact({ kind, state, reason, attempts: 1, job: null });
  return { words: inEnglish(ledgerMessage(fact, String)), words_code: fact.code, words_params: fact.params };
}
