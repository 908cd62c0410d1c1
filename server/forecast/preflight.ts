import { sql } from "kysely";
import { startRun } from "../../domain/forecast-run.ts";
import type { LeadFilter } from "../../domain/lead-filter.ts";
import type { Preflight } from "../../domain/preflight.ts";
import { eachRecipientMessage, recipientProblem } from "../../domain/refusal-messages.ts";
import { isColdAt } from "../../domain/schedule.ts";
import { OPTED_OUT } from "../../domain/send-outcome.ts";
import { pollUntil } from "../core/poll-until.ts";
import type { Topics } from "../core/bus.ts";
import { nextTurn } from "../core/clock.ts";
import type { Deps } from "../core/deps.ts";
import { inEnglish } from "../core/languages.ts";
import type { Db } from "../db/index.ts";
import { leadConditions } from "../leads/filter.ts";
import { isCheckFresh } from "./contact-checks.ts";
import { factsOf, readForecastInput, type ForecastInput } from "./facts.ts";
import { ms, type TargetRow } from "./read.ts";

export type PreflightRequest = {
  stageId: string | null;
  filter?: LeadFilter | null;
  /** only these leads, as far as they are the owner's */
  leadIds?: readonly string[] | null;
  throttleSeconds: number;
};

const DAY_MS = 86_400_000;
/** A longer filter does not fit into a notification of 8,000 bytes; its stage is sent instead. */
const NOTIFIED_FILTER_BYTES = 3_000;
/** Leads per notification. */
const NOTIFIED_LEADS = 100;
/** How far ahead other sends are forecast; a longer job is estimated without later ones. */
const PREFLIGHT_MS = 14 * DAY_MS;
/** How long the response waits for Telegram to check leads. */
const ASKED_WITHIN_MS = 1_500;
const POLL_MS = 500;
/** Steps of a run before the event loop gets a turn. */
const TURNS = 5_000;

/** `reason` is why the lead cannot be written to, by its row or Telegram's answer. */
type Target = TargetRow & { reason: string | null; is_checked: boolean };

/** Returns what a bulk message would do if it started now: who gets it, who is skipped and why, and when it starts and ends. */
export async function readPreflight(
  deps: Pick<Deps, "db" | "bus" | "clock" | "work">,
  ownerId: string,
  request: PreflightRequest,
): Promise<Preflight> {
  const targets = await readTargetsAsked(deps, ownerId, request);
  const now = deps.clock.now();
  const reachable = targets.filter(({ reason }) => reason === null);
  const cold = reachable.filter((target) => isColdAt(target.last_message_at, now)).length;
  // A daily limit may stretch the job over many days, so the whole forecast period counts.
  const reckoned = cold > 0 ? PREFLIGHT_MS : DAY_MS + 2 * targets.length * request.throttleSeconds * 1_000;
  const input = await readForecastInput(deps.db, ownerId, now, now + Math.min(PREFLIGHT_MS, reckoned));
  const { account } = input;
  const span = reachable.length === 0 ? null : await estimateJob(input, targets, request.throttleSeconds);
  return {
    targets: targets.length,
    reachable: reachable.length,
    skipped: skippedOf(targets),
    cold,
    cold_left_today: Math.max(0, (account.daily_cap ?? 0) - account.cold_today),
    starts_at: span === null ? null : new Date(span.from).toISOString(),
    finishes_at: span === null ? null : new Date(span.to).toISOString(),
    unchecked: reachable.filter((target) => !target.is_checked).length,
  };
}

/** Returns the targets after asking Telegram about unchecked ones, for a limited time. */
async function readTargetsAsked(
  deps: Pick<Deps, "db" | "bus" | "clock" | "work">,
  ownerId: string,
  request: PreflightRequest,
): Promise<Target[]> {
  const { db, bus, clock } = deps;
  const targets = await readTargets(db, ownerId, request, clock.now());
  if (!targets.some(isOpen)) return targets;
  await bus.publishAll("contacts.wanted", wantedOf(ownerId, request, targets));
  await pollUntil(deps, async () => !(await isStillOpen(db, ownerId, targets, clock.now())) || null, {
    onNews: (look) => bus.on("contacts.checked", ({ owner_id: id }) => id === ownerId && look()),
    everyMs: POLL_MS,
    withinMs: ASKED_WITHIN_MS,
  });
  return readTargets(db, ownerId, request, clock.now());
}

/** Returns the requests for checks. Of given leads, only unchecked ones are sent, in several notifications. */
function wantedOf(ownerId: string, request: PreflightRequest, targets: readonly Target[]): Topics["contacts.wanted"][] {
  if (request.leadIds != null) {
    const ids = targets.filter(isOpen).map((target) => target.lead_id);
    return Array.from({ length: Math.ceil(ids.length / NOTIFIED_LEADS) }, (_, part) => ({
      owner_id: ownerId,
      stage_id: null,
      filter: null,
      lead_ids: ids.slice(part * NOTIFIED_LEADS, (part + 1) * NOTIFIED_LEADS),
    }));
  }
  const { filter = null } = request;
  const isNotifiable = Buffer.byteLength(JSON.stringify(filter)) <= NOTIFIED_FILTER_BYTES;
  const stageId = filter === null ? request.stageId : filter.stage_id || null;
  return [{ owner_id: ownerId, stage_id: stageId, filter: isNotifiable ? filter : null }];
}

const isOpen = ({ reason, is_checked }: Target): boolean => reason === null && !is_checked;

/** Whether the last unchecked target is still unchecked. */
async function isStillOpen(db: Db, ownerId: string, targets: readonly Target[], now: number): Promise<boolean> {
  const last = targets.findLast(isOpen);
  if (last === undefined) return false;
  const { rows } =
    await sql`select 1 from leads l join telegram_sessions s on s.user_id = l.owner_id and s.state = 'connected'
    left join contact_checks c on c.account_id = s.id and c.peer_id = l.telegram_user_id and ${isCheckFresh(now)}
    where l.id = ${last.lead_id}::uuid and l.owner_id = ${ownerId}::uuid and c.at is null`.execute(db);
  return rows.length > 0;
}

/** Returns the targets in the order in which the job would send. */
async function readTargets(
  db: Db,
  ownerId: string,
  { stageId, filter, leadIds }: PreflightRequest,
  now: number,
): Promise<Target[]> {
  const whom =
    leadIds != null
      ? sql`l.id = any(${leadIds}::uuid[])`
      : filter == null
        ? sql`true ${stageId === null ? sql`` : sql`and l.stage_id = ${stageId}::uuid`}`
        : sql`l.id in (select leads.id from leads where ${await leadConditions(db, ownerId, filter)})`;
  const { rows } = await sql<Omit<Target, "id" | "is_refused">>`
    select l.id as lead_id, ${ms(sql`l.last_message_at`)} as last_message_at, l.unreachable_reason is null and l.opted_out_at is null as is_reachable,
      coalesce(case when l.opted_out_at is not null then ${OPTED_OUT} end, l.unreachable_reason, c.requirement) as reason, c.at is not null as is_checked
    from leads l
    left join telegram_sessions s on s.user_id = l.owner_id and s.state = 'connected'
    left join contact_checks c on c.account_id = s.id and c.peer_id = l.telegram_user_id and ${isCheckFresh(now)}
    where l.owner_id = ${ownerId}::uuid and ${whom}
    order by l.last_inbound_at desc nulls last, l.id`.execute(db);
  return rows.map((row, place) => ({
    ...row,
    id: String(place + 1),
    is_refused: row.is_reachable && row.reason !== null,
  }));
}

/** Groups reasons with the same text; the most frequent first. */
function skippedOf(targets: readonly Target[]): Preflight["skipped"] {
  const found = new Map<string, Preflight["skipped"][number]>();
  for (const { reason } of targets) {
    if (reason === null) continue;
    const problem = recipientProblem(reason);
    const group = found.get(problem);
    if (group === undefined) found.set(problem, { reason, words: inEnglish(eachRecipientMessage(reason)), count: 1 });
    else group.count += 1;
  }
  return [...found.values()].toSorted((a, b) => b.count - a.count);
}

/**
 * Runs the job together with the other forecast sends. Messages that Telegram will refuse take their time too.
 * @returns when the first and the last message would be sent; null when the job could not start or not finish
 */
async function estimateJob(
  input: ForecastInput,
  targets: readonly Target[],
  throttleSeconds: number,
): Promise<{ from: number; to: number } | null> {
  const { account } = input;
  if (account.job_id !== null || account.stopped_at !== null) return null;
  const facts = factsOf({
    ...input,
    account: {
      ...account,
      job_id: "preflight",
      throttle_ms: Math.round(throttleSeconds * 1_000),
      job_paused_until: null,
    },
    targets: [...targets],
  });
  const tried = targets.filter((target) => target.is_reachable).length;
  const run = startRun({ ...facts, until: Infinity });
  const span = { from: 0, to: 0, count: 0 };
  for (let seen = 0, goesOn = true; goesOn && span.count < tried;) {
    goesOn = run.advance(TURNS);
    for (; seen < run.sends.length; seen += 1) {
      const { at, row } = run.sends[seen] ?? {};
      if (row?.kind !== "bulk" || at === undefined) continue;
      if (span.count === 0) span.from = at;
      span.to = at;
      span.count += 1;
    }
    await nextTurn();
  }
  return tried > 0 && span.count === tried ? span : null;
}
