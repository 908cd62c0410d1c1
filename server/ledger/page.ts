import { sql, type RawBuilder } from "kysely";
import {
  LEDGER_KINDS,
  LEDGER_STATES,
  type LedgerItem,
  type LedgerPage,
  type LedgerQuery,
} from "../../domain/ledger.ts";
import { ledgerFact, ledgerMessage, type AccountFacts } from "../../domain/ledger-messages.ts";
import type { Actor } from "../../domain/story.ts";
import type { Deps } from "../core/deps.ts";
import { inEnglish } from "../core/languages.ts";
import { orderOf } from "../lead-rows/step-places.ts";
import type { Db } from "../db/index.ts";

const EXCERPT_CHARS = 200;
const PREVIEW_CHARS = 120;
/** Row ids follow planning times, except for clock differences and long transactions. */
const ROOM = sql`interval '1 hour'`;
const AUTOMATION: Actor = { kind: "automation", name: "Leadloom" };

type Bounds = { low: string; high: string };
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
  by_key: string | null;
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
  job_is_held: boolean;
  person: string | null;
};

/**
 * Reads a page of everything planned for an owner's leads and channels, from the outbox and the ledger, newest first. A message keeps its
 * id while it is sent, settled and moved, so that pages neither skip nor repeat one.
 */
export async function readLedger(
  { db, clock }: Pick<Deps, "db" | "clock">,
  ownerId: string,
  query: LedgerQuery,
): Promise<LedgerPage> {
  const most = query.limit + 1;
  const bounds = await boundsOf(db, ownerId, query);
  const { rows } = await sql<Row>`
    with found as (
      (${linesOf("outbox", ownerId, query, bounds)})
      union all
      (${linesOf("ledger", ownerId, query, bounds)})
      order by id desc limit ${most}
    )
    select x.*, l.id as lead_id, l.name as lead_name, ${orderOf("f")} as step_order,
      -- Nothing about people who were just excluded.
      case when exists (select from exclusions e where e.lead_id = x.about) then null
        else left(coalesce(x.body, j.message, f.message), ${EXCERPT_CHARS}) end as excerpt, left(f.message, ${PREVIEW_CHARS}) as preview,
      j.status as job_status, j.error as job_error, j.paused_until as job_paused_until, j.paused_reason as job_paused_reason,
      j.held_at is not null as job_is_held,
      (select coalesce(nullif(u.name, ''), a.raw_user_meta_data ->> 'name') from auth.users a left join users u on u.id = a.id
        where a.id = ${ownerId}::uuid) as person
    from found x
    left join leads l on l.id = x.about and l.owner_id = ${ownerId}::uuid
    left join followups f on f.id = x.followup_id and f.owner_id = ${ownerId}::uuid
    left join bulk_jobs j on j.id = x.job_id and j.owner_id = ${ownerId}::uuid
    order by x.id desc`.execute(db);
  const page = rows.slice(0, query.limit);
  const account = page.some(({ state }) => state === "pending")
    ? await readAccount(db, ownerId, clock.iso())
    : UNKNOWN_ACCOUNT;
  const now = clock.now();
  return {
    items: page.map((row) => itemOf(row, account, now)),
    next: rows.length > page.length ? (page.at(-1)?.id ?? null) : null,
  };
}

const COLUMNS = {
  outbox: sql`o.id, o.kind, o.state, o.lead_id as about, o.followup_id, o.job_id, o.body, o.reason, o.by_key, o.attempts, o.random_id, o.message_id,
    o.is_uncertain, o.created_at as planned_at, case when o.state = 'pending' then o.not_before end as not_before, o.claimed_at as tried_at,
    o.settled_at`,
  ledger: sql`o.id, o.kind, o.state, o.lead_id as about, o.followup_id, o.job_id, o.excerpt as body, o.reason, o.by_key, o.attempts, o.random_id,
    o.message_id, false as is_uncertain, o.planned_at, null::timestamptz as not_before, o.tried_at, o.settled_at`,
} as const;

/**
 * The newest matching rows of one of the two tables. Without a lead, each requested kind and state is read from its own part of the index.
 */
function linesOf(
  table: "outbox" | "ledger",
  ownerId: string,
  query: LedgerQuery,
  { low, high }: Bounds,
): RawBuilder<unknown> {
  const most = query.limit + 1;
  const planned = plannedIn(table === "outbox" ? sql`o.created_at` : sql`o.planned_at`, query);
  const lines = sql`select ${COLUMNS[table]} from ${sql.table(table)} o where`;
  const own = [sql`o.owner_id = ${ownerId}::uuid`, sql`o.id > ${low}::bigint`, sql`o.id < ${high}::bigint`, ...planned];
  const all = (more: RawBuilder<unknown>[]) => sql`${lines} ${sql.join([...own, ...more], sql` and `)}`;
  const named = [
    ...(query.kind === undefined ? [] : [sql`o.kind = ${query.kind}`]),
    ...(query.state === undefined ? [] : [sql`o.state = ${query.state}`]),
  ];
  if (query.lead_id !== undefined)
    return sql`${all([sql`o.lead_id = ${query.lead_id}::uuid`, ...named])} order by o.id desc limit ${most}`;
  if (named.length > 0) {
    const kinds = query.kind === undefined ? LEDGER_KINDS : [query.kind];
    const states = query.state === undefined ? LEDGER_STATES : [query.state];
    // Ordered as the index is. With the primary key's order the planner would walk all owners' messages backwards.
    return sql`
      select p.* from unnest(${[...kinds]}::text[]) k (kind) cross join unnest(${[...states]}::text[]) s (state)
      cross join lateral (${all([sql`o.kind = k.kind`, sql`o.state = s.state`])} order by o.id desc nulls last limit ${most}) p
      order by p.id desc limit ${most}`;
  }
  if (query.from !== undefined) return sql`${all([])} order by o.id desc limit ${most}`;
  // Compares and sorts by both index columns, for the same reason.
  return sql`${lines} (o.owner_id, o.id) > (${ownerId}::uuid, 0) and (o.owner_id, o.id) < (${ownerId}::uuid, ${high}::bigint)
    ${planned.length === 0 ? sql`` : sql`and ${sql.join(planned, sql` and `)}`} order by o.owner_id desc, o.id desc limit ${most}`;
}

/** Returns the id range of the rows, both ends exclusive. Read first, so that the planner knows how many rows are between them. */
async function boundsOf(db: Db, ownerId: string, { before, from, to }: LedgerQuery): Promise<Bounds> {
  const newest = before ?? "9223372036854775807";
  if (from === undefined && to === undefined) return { low: "0", high: newest };
  const numberAt = (moment: string, room: RawBuilder<unknown>) =>
    sql`public.planned_before(${ownerId}::uuid, ${moment}::timestamptz ${room})`;
  const { rows } = await sql<Bounds>`
    select ${from === undefined ? sql`0` : numberAt(from, sql`- ${ROOM}`)}::bigint as low,
      least(${newest}::bigint, ${to === undefined ? sql`null` : sql`${numberAt(to, sql`+ ${ROOM}`)} + 1`})::bigint as high`.execute(
    db,
  );
  return rows[0] ?? { low: "0", high: newest };
}

/** When the rows were planned. A time in milliseconds includes that millisecond. */
const plannedIn = (planned: RawBuilder<unknown>, { from, to }: LedgerQuery): RawBuilder<unknown>[] => [
  ...(from === undefined ? [] : [sql`${planned} >= ${from}::timestamptz`]),
  ...(to === undefined ? [] : [sql`${planned} < ${to}::timestamptz + interval '1 millisecond'`]),
];

const UNKNOWN_ACCOUNT: AccountFacts = {
  isConnected: true,
  hasAccess: true,
  isStopped: false,
  isDryRun: false,
  pausedUntil: null,
};
type AccountRow = {
  paused_until: string | null;
  stopped_at: string | null;
  dry_run: boolean | null;
  has_access: boolean;
};

/** Reads what holds up all waiting messages. */
async function readAccount(db: Db, ownerId: string, at: string): Promise<AccountFacts> {
  const { rows } = await sql<AccountRow>`
    select s.paused_until, s.stopped_at, u.dry_run, public.has_access(s.user_id, ${at}::timestamptz) as has_access
    from telegram_sessions s left join user_settings u on u.user_id = s.user_id where s.user_id = ${ownerId}::uuid and s.state = 'connected' limit 1`.execute(
    db,
  );
  const account = rows[0];
  if (account === undefined) return { ...UNKNOWN_ACCOUNT, isConnected: false };
  return {
    isConnected: true,
    hasAccess: account.has_access,
    isStopped: account.stopped_at !== null,
    isDryRun: account.dry_run ?? false,
    pausedUntil: account.paused_until,
  };
}

const moments = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "long",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  timeZone: "UTC",
});
const utcMoment = (moment: string): string => `${moments.format(new Date(moment)).replace(" at ", ", ")} UTC`;

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
          isHeld: row.job_is_held,
        };
  const fact = ledgerFact(
    { kind, state, reason, attempts, isUncertain: row.is_uncertain, notBefore: row.not_before, job },
    account,
    now,
  );
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
            preview:
              row.preview ??
              Array.from(excerpt ?? "")
                .slice(0, PREVIEW_CHARS)
                .join(""),
          },
    excerpt,
    state,
    reason,
    words: inEnglish(ledgerMessage(fact, utcMoment)),
    words_code: fact.code,
    words_params: fact.params,
    attempts,
    random_id: row.random_id,
    message_id: row.message_id,
    planned_at: row.planned_at,
    not_before: row.not_before,
    tried_at: row.tried_at,
    settled_at: row.settled_at,
    by: actorOf(row),
  };
}

function actorOf({ kind, by_key: key, person }: Row): Actor {
  if (key !== null) return { kind: "key", name: key };
  return kind === "followup" || kind === "reminder" ? AUTOMATION : { kind: "person", name: person };
}
