import { sql, type RawBuilder } from "kysely";
import {
  LEDGER_KINDS,
  LEDGER_STATES,
  type LedgerItem,
  type LedgerPage,
  type LedgerQuery,
} from "../../domain/ledger.ts";
import { ledgerWords, type AccountFacts } from "../../domain/ledger-words.ts";
import type { Doer } from "../../domain/story.ts";
import type { Deps } from "../core/deps.ts";
import type { Db } from "../db/index.ts";

const EXCERPT_CHARS = 200;
const PREVIEW_CHARS = 120;
/** Numbers follow the moments of planning but for clocks that differ and transactions that take long. */
const ROOM = sql`interval '1 hour'`;
const AUTOMATION: Doer = { kind: "automation", name: "Leadloom" };

type Row = {
  id: string;
  kind: LedgerItem["kind"];
  state: LedgerItem["state"];
  lead_id: string | null;
  lead_name: string | null;
  followup_id: string | null;
  step_order: number | null;
  excerpt: string | null;
  preview: string | null;
  reason: string | null;
  attempts: number;
  random_id: string;
  message_id: number | null;
  is_uncertain: boolean;
  planned_at: string;
  not_before: string | null;
  tried_at: string | null;
  settled_at: string | null;
  job_status: string | null;
  job_error: string | null;
  job_paused_until: string | null;
  job_paused_reason: string | null;
  person: string | null;
};

/**
 * A page of everything that was planned for an owner's leads and channels, over the outbox and the ledger, in the order of planning, newest
 * first. A message keeps its number while it is sent, settled and moved, so that pages neither miss nor repeat one.
 */
export async function readLedger(
  { db, clock }: Pick<Deps, "db" | "clock">,
  ownerId: string,
  query: LedgerQuery,
): Promise<LedgerPage> {
  const most = query.limit + 1;
  const { rows } = await sql<Row>`
    with found as (
      (${linesOf("outbox", ownerId, query)})
      union all
      (${linesOf("ledger", ownerId, query)})
      order by id desc limit ${most}
    )
    select x.*, l.id as lead_id, l.name as lead_name, f.followup_order as step_order,
      left(coalesce(x.body, j.message, f.message), ${EXCERPT_CHARS}) as excerpt, left(f.message, ${PREVIEW_CHARS}) as preview,
      j.status as job_status, j.error as job_error, j.paused_until as job_paused_until, j.paused_reason as job_paused_reason,
      (select coalesce(nullif(u.name, ''), a.raw_user_meta_data ->> 'name') from auth.users a left join users u on u.id = a.id
        where a.id = ${ownerId}::uuid) as person
    from found x
    left join leads l on l.id = x.about and l.owner_id = ${ownerId}::uuid
    left join followups f on f.id = x.followup_id and f.owner_id = ${ownerId}::uuid
    left join bulk_jobs j on j.id = x.job_id and j.owner_id = ${ownerId}::uuid
    order by x.id desc`.execute(db);
  const page = rows.slice(0, query.limit);
  const account = page.some(({ state }) => state === "pending") ? await readAccount(db, ownerId, clock.iso()) : UNTOLD;
  const now = clock.now();
  return {
    items: page.map((row) => itemOf(row, account, now)),
    next: rows.length > page.length ? (page.at(-1)?.id ?? null) : null,
  };
}

const COLUMNS = {
  outbox: sql`o.id, o.kind, o.state, o.lead_id as about, o.followup_id, o.job_id, o.body, o.reason, o.attempts, o.random_id, o.message_id,
    o.is_uncertain, o.created_at as planned_at, case when o.state = 'pending' then o.not_before end as not_before, o.claimed_at as tried_at,
    o.settled_at`,
  ledger: sql`o.id, o.kind, o.state, o.lead_id as about, o.followup_id, o.job_id, o.excerpt as body, o.reason, o.attempts, o.random_id,
    o.message_id, false as is_uncertain, o.planned_at, null::timestamptz as not_before, o.tried_at, o.settled_at`,
} as const;

/** The newest matching rows of one of both tables. Without a lead, each kind and state asked for is read from its own part of the index. */
function linesOf(table: "outbox" | "ledger", ownerId: string, query: LedgerQuery): RawBuilder<unknown> {
  const most = query.limit + 1;
  const conditions = [sql`o.owner_id = ${ownerId}::uuid`, ...span(table, ownerId, query)];
  const read = (more: RawBuilder<unknown>[]) => sql`
    select ${COLUMNS[table]} from ${sql.table(table)} o where ${sql.join([...conditions, ...more], sql` and `)}
    order by o.id desc limit ${most}`;
  const named = [
    ...(query.kind === undefined ? [] : [sql`o.kind = ${query.kind}`]),
    ...(query.state === undefined ? [] : [sql`o.state = ${query.state}`]),
  ];
  if (query.lead_id !== undefined) return read([sql`o.lead_id = ${query.lead_id}::uuid`, ...named]);
  if (named.length === 0) return read([]);
  const kinds = query.kind === undefined ? LEDGER_KINDS : [query.kind];
  const states = query.state === undefined ? LEDGER_STATES : [query.state];
  return sql`
    select p.* from unnest(${[...kinds]}::text[]) k (kind) cross join unnest(${[...states]}::text[]) s (state)
    cross join lateral (${read([sql`o.kind = k.kind`, sql`o.state = s.state`])}) p order by p.id desc limit ${most}`;
}

function span(table: "outbox" | "ledger", ownerId: string, { before, from, to }: LedgerQuery): RawBuilder<unknown>[] {
  const planned = table === "outbox" ? sql`o.created_at` : sql`o.planned_at`;
  const numberAt = (moment: RawBuilder<unknown>) => sql`(select public.planned_before(${ownerId}::uuid, ${moment}))`;
  return [
    ...(before === undefined ? [] : [sql`o.id < ${before}::bigint`]),
    ...(from === undefined
      ? []
      : [sql`${planned} >= ${from}::timestamptz`, sql`o.id > ${numberAt(sql`${from}::timestamptz - ${ROOM}`)}`]),
    ...(to === undefined
      ? []
      : [
          // A moment given to the millisecond includes that millisecond.
          sql`${planned} < ${to}::timestamptz + interval '1 millisecond'`,
          sql`o.id <= ${numberAt(sql`${to}::timestamptz + ${ROOM}`)}`,
        ]),
  ];
}

const UNTOLD: AccountFacts = { isConnected: true, hasAccess: true, isStopped: false, pausedUntil: null };

/** What holds up whatever waits. */
async function readAccount(db: Db, ownerId: string, at: string): Promise<AccountFacts> {
  const { rows } = await sql<{ paused_until: string | null; stopped_at: string | null; has_access: boolean }>`
    select s.paused_until, s.stopped_at, public.has_access(s.user_id, ${at}::timestamptz) as has_access
    from telegram_sessions s where s.user_id = ${ownerId}::uuid and s.state = 'connected' limit 1`.execute(db);
  const account = rows[0];
  if (account === undefined) return { ...UNTOLD, isConnected: false };
  return {
    isConnected: true,
    hasAccess: account.has_access,
    isStopped: account.stopped_at !== null,
    pausedUntil: account.paused_until,
  };
}

function itemOf(row: Row, account: AccountFacts, now: number): LedgerItem {
  const { id, kind, state, reason, attempts } = row;
  const excerpt = row.excerpt;
  const job =
    row.job_status === null
      ? null
      : {
          status: row.job_status,
          error: row.job_error,
          pausedUntil: row.job_paused_until,
          pausedReason: row.job_paused_reason,
        };
  return {
    id,
    kind,
    lead: row.lead_id === null ? null : { id: row.lead_id, name: row.lead_name },
    step:
      row.followup_id === null
        ? null
        : {
            id: row.followup_id,
            order: row.step_order,
            preview: row.preview ?? excerpt?.slice(0, PREVIEW_CHARS) ?? "",
          },
    excerpt,
    state,
    reason,
    words: ledgerWords(
      { kind, state, reason, attempts, isUncertain: row.is_uncertain, notBefore: row.not_before, job },
      account,
      now,
    ),
    attempts,
    random_id: row.random_id,
    message_id: row.message_id,
    planned_at: row.planned_at,
    not_before: row.not_before,
    tried_at: row.tried_at,
    settled_at: row.settled_at,
    by: kind === "followup" || kind === "reminder" ? AUTOMATION : { kind: "person", name: row.person },
  };
}
