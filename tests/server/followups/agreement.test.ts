import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { expect, it } from "vitest";
import {
  AUTOMATION_STATES,
  type AutomationFacts,
  automationState,
  leadAutomation,
} from "../../../domain/lead-automation.ts";
import { createClock } from "../../../server/core/clock.ts";
import { BULK_GUARD_MS, nextDay } from "../../../domain/schedule.ts";
import { readAutomationFacts } from "../../../server/followups/index.ts";
import { AHEAD_MS, planFollowups } from "../../../server/followups/plan.ts";
import { readCandidates, reach } from "../../../server/outbox/candidate.ts";
import { readGate, type Gate } from "../../../server/outbox/gate.ts";
import { judge } from "../../../server/outbox/rules.ts";
import { ownEngine } from "../../support/servers.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const OWNERS = 160;
const LEADS_EACH = 130;
/** The night in which Europe's clocks go forward. */
const NOW = Date.parse("2030-03-31T00:40:00.000Z");
const ZONES = [null, null, "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata", "Africa/Cairo"];

const engine = await ownEngine();

/** Whole numbers below `n`, the same at every run. */
function numbers(seed: number) {
  let state = seed;
  return (n: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
}
const pick = numbers(20_300_331);
const one = <T>(...of: T[]): T => of[pick(of.length)] as T;
const oneIn = (n: number) => pick(n) === 0;
const iso = (at: number) => new Date(at).toISOString();
/** So many minutes before now, often exactly a step's delay. */
const before = (mostHours: number) =>
  NOW - (oneIn(3) ? one(0, 1, 24, 25, 48, 72) * HOUR_MS : pick(mostHours * 60) * MINUTE_MS);

const insert = (table: string, columns: string, rows: object[]) =>
  sql`insert into ${sql.table(table)} (${sql.raw(columns.replace(/ \S+(,|$)/g, "$1"))})
    select ${sql.raw(columns.replace(/ \S+(,|$)/g, "$1"))} from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as x(${sql.raw(columns)})`.execute(
    engine.deps.db,
  );

/** Sellers in every condition of their account, each with leads in every condition of theirs. */
async function makeWorlds() {
  const owners = Array.from({ length: OWNERS }, (_, index) => ({
    id: randomUUID(),
    session: randomUUID(),
    telegram_user_id: 5_000_000 + index,
    stage: randomUUID(),
    empty: randomUUID(),
    steps: [randomUUID(), randomUUID(), randomUUID()],
    connected: !oneIn(12),
  }));
  await insert(
    "auth.users",
    "id uuid, email text, encrypted_password text",
    owners.map(({ id }) => ({ id, email: `${id}@example.com`, encrypted_password: "-" })),
  );
  await insert(
    "subscriptions",
    "user_id uuid, status text",
    owners.map(({ id }) => ({ user_id: id, status: oneIn(12) ? "canceled" : "active" })),
  );
  await insert(
    "user_settings",
    "user_id uuid, auto_followups_enabled boolean, auto_followup_start_hour int, auto_followup_end_hour int, auto_followups_since timestamptz, time_zone text, weekdays smallint[], dry_run boolean, dry_run_ended_at timestamptz",
    owners.map(({ id }) => {
      const isOn = !oneIn(12);
      const isWholeDay = oneIn(3);
      const start = isWholeDay ? 0 : pick(24);
      return {
        user_id: id,
        auto_followups_enabled: isOn,
        auto_followup_start_hour: start,
        auto_followup_end_hour: isWholeDay ? 0 : (start + 6 + pick(14)) % 24,
        auto_followups_since: isOn ? iso(before(200)) : null,
        time_zone: one(...ZONES),
        weekdays: oneIn(3) ? one([1, 2, 3, 4, 5], [6, 7], [7], [1]) : [1, 2, 3, 4, 5, 6, 7],
        dry_run: oneIn(8),
        dry_run_ended_at: oneIn(6) ? iso(before(48)) : null,
      };
    }),
  );
  await insert(
    "telegram_sessions",
    "id uuid, user_id uuid, telegram_user_id bigint, device text, connected_at timestamptz, state text, daily_cap int, stopped_at timestamptz, stopped_reason text, paused_until timestamptz, paused_reason text",
    owners.map((owner) => {
      const isStopped = oneIn(12);
      const isPaused = oneIn(6);
      return {
        id: owner.session,
        user_id: owner.id,
        telegram_user_id: owner.telegram_user_id,
        device: "test",
        connected_at: iso(NOW - HOUR_MS),
        state: owner.connected ? "connected" : "ended",
        daily_cap: one(1, 1, 200),
        stopped_at: isStopped ? iso(NOW - HOUR_MS) : null,
        stopped_reason: isStopped ? "Limited." : null,
        paused_until: isPaused ? iso(NOW + one(-5, 3, 700) * MINUTE_MS) : null,
        paused_reason: isPaused ? "FLOOD_WAIT_1" : null,
      };
    }),
  );
  await insert(
    "send_pace",
    "owner_id uuid, cold_day date, cold_count int",
    owners.map(({ id }) => ({ owner_id: id, cold_day: one("2030-03-31", "2030-03-30"), cold_count: one(0, 200) })),
  );
  await insert(
    "stages",
    'id uuid, owner_id uuid, name text, "order" int',
    owners.flatMap(({ id, stage, empty }) => [
      { id: stage, owner_id: id, name: "First", order: 1 },
      { id: empty, owner_id: id, name: "Empty", order: 2 },
    ]),
  );
  await insert(
    "followups",
    "id uuid, owner_id uuid, stage_id uuid, message text, followup_order int, delay_hours int, created_at timestamptz",
    owners.flatMap(({ id, stage, steps }) =>
      steps.map((step, order) => ({
        id: step,
        owner_id: id,
        stage_id: stage,
        message: `Step ${order}`,
        followup_order: order,
        delay_hours: [1, 24, 48][order],
        created_at: iso(NOW - one(3, 60, 4_000) * HOUR_MS),
      })),
    ),
  );
  await sql`delete from stale_plans`.execute(engine.deps.db);
  await makeLeads(owners);
  return owners;
}

type Owner = { id: string; stage: string; empty: string; steps: string[]; telegram_user_id: number };

async function makeLeads(owners: Owner[]) {
  const leads: object[] = [];
  const sends: object[] = [];
  const lines: object[] = [];
  let number = 0;
  for (const owner of owners) {
    for (let index = 0; index < LEADS_EACH; index += 1) {
      number += 1;
      const id = randomUUID();
      const enteredAt = before(90);
      const cursor = oneIn(12) ? 3 : pick(3);
      const step = owner.steps[cursor];
      const sentAt = cursor > 0 ? Math.max(enteredAt, before(60)) : null;
      const manualAt = oneIn(4) ? before(60) : null;
      const anchor = Math.max(enteredAt, sentAt ?? 0, manualAt ?? 0);
      const isHeld = oneIn(10);
      const isSkipped = oneIn(8);
      const lastAt = one(anchor, anchor, NOW - 40 * 24 * HOUR_MS, null);
      leads.push({
        id,
        owner_id: owner.id,
        telegram_user_id: number,
        name: "Ann",
        stage_id: oneIn(20) ? owner.empty : owner.stage,
        created_at: iso(enteredAt),
        followup_order_sent: cursor,
        last_followup_sent_at: sentAt === null ? null : iso(sentAt),
        last_message_at: lastAt === null ? null : iso(lastAt),
        last_inbound_at: one(null, iso(enteredAt), iso(anchor), oneIn(3) ? iso(anchor + MINUTE_MS) : iso(anchor - 1)),
        last_manual_at: manualAt === null ? null : iso(manualAt),
        stage_entered_at: iso(enteredAt),
        stage_entry_epoch: 2,
        unreachable_reason: oneIn(20) ? "USER_IS_BLOCKED" : null,
        imported_at: oneIn(15) ? iso(before(30)) : null,
        opted_out_at: oneIn(20) ? iso(before(10)) : null,
        held_at: isHeld ? iso(NOW - 20 * HOUR_MS) : null,
        held_until: isHeld ? one(null, iso(NOW), iso(NOW + HOUR_MS), iso(NOW - 2 * HOUR_MS)) : null,
        skipped_steps: isSkipped ? [oneIn(4) ? step : owner.steps[(cursor + 2) % 3]].filter(Boolean) : null,
        skipped_epoch: isSkipped ? one(1, 2) : null,
        skipped_until: isSkipped ? iso(before(30)) : null,
      });
      const line = { id: number, owner_id: owner.id, lead_id: id, random_id: number, epoch: 2, followup_id: null };
      if (oneIn(8)) {
        const row = {
          ...line,
          kind: "bulk",
          priority: 4,
          state: "sent",
          settled_at: iso(NOW - one(5, 60, 90) * MINUTE_MS),
        };
        sends.push({ ...row, dedupe_key: `bulk ${id}`, not_before: iso(NOW), created_at: iso(NOW) });
      }
      if (step === undefined || !oneIn(4)) continue;
      const state = one("pending", "pending", "sent", "failed", "skipped", "would_send");
      const settledAt =
        state === "pending" ? null : iso(oneIn(4) ? anchor - MINUTE_MS : Math.min(NOW, anchor + pick(600) * MINUTE_MS));
      const row = { ...line, kind: "followup", followup_id: step, state, settled_at: settledAt };
      const reason = state === "failed" ? "MESSAGE_EMPTY" : state === "skipped" ? "PEER_ID_INVALID" : null;
      if (state === "would_send") lines.push({ ...row, attempts: 0, planned_at: iso(NOW) });
      else
        sends.push({
          ...row,
          priority: 2,
          reason,
          is_confirmed: oneIn(3),
          dedupe_key: `earlier ${id}`,
          not_before: iso(NOW + one(-30, 0, 0, 25) * MINUTE_MS),
          created_at: iso(NOW - HOUR_MS),
        });
    }
  }
  // Of what a lead is written with only its candidate matters here: no words to be found by, no counts, nobody to be told.
  const { db } = engine.deps;
  await sql`alter table leads disable trigger user`.execute(db);
  await sql`alter table leads enable trigger leads_added`.execute(db);
  await insert(
    "leads",
    "id uuid, owner_id uuid, telegram_user_id bigint, name text, stage_id uuid, created_at timestamptz, followup_order_sent int, last_followup_sent_at timestamptz, last_message_at timestamptz, last_inbound_at timestamptz, last_manual_at timestamptz, stage_entered_at timestamptz, stage_entry_epoch int, unreachable_reason text, imported_at timestamptz, opted_out_at timestamptz, held_at timestamptz, held_until timestamptz, skipped_steps uuid[], skipped_epoch int, skipped_until timestamptz",
    leads,
  );
  await sql`alter table leads enable trigger user`.execute(db);
  await insert(
    "outbox",
    "owner_id uuid, lead_id uuid, random_id bigint, epoch int, followup_id uuid, kind text, priority int, state text, settled_at timestamptz, reason text, is_confirmed boolean, dedupe_key text, not_before timestamptz, created_at timestamptz",
    sends.map((row) => ({ is_confirmed: false, ...row })),
  );
  await insert(
    "ledger",
    "id bigint, owner_id uuid, lead_id uuid, random_id bigint, epoch int, followup_id uuid, kind text, state text, settled_at timestamptz, attempts int, planned_at timestamptz",
    lines.map((line, index) => ({ ...line, id: 1_000_000_000 + index })),
  );
}

/** What the planner looks at: the lead and its step, whatever holds the account up. */
const unhindered = (facts: AutomationFacts): AutomationFacts => ({
  ...facts,
  hasAccess: true,
  isConnected: true,
  isStopped: false,
  pausedUntil: null,
});
const WAITS = ["waiting_for_hours", "waiting_after_bulk", "waiting_for_limit"];

/** When the planner would let the step leave by the rule book; null where it plans nothing. */
function plannedFor(facts: AutomationFacts): number | null {
  const { step } = facts;
  if (step === null || step.dueAt > NOW + AHEAD_MS || step.use?.state === "pending") return null;
  const free = unhindered({ ...facts, now: Math.max(NOW, step.dueAt) });
  const state = automationState(free);
  if (state !== "scheduled" && !WAITS.includes(state)) return null;
  return leadAutomation({ ...free, lastBulkAt: null, coldLeft: 1 }).dueAt;
}

/** What the claim decides by the rule book about a row that it looks at. */
function decidedFor(facts: AutomationFacts): string {
  const { state, dueAt } = leadAutomation(facts);
  switch (state) {
    case "scheduled":
      return (dueAt ?? Infinity) <= NOW ? "send" : "drop";
    case "waiting_for_hours":
      return `hold ${iso(dueAt ?? 0)}`;
    case "waiting_after_bulk":
      return `hold ${iso((facts.lastBulkAt ?? 0) + BULK_GUARD_MS)}`;
    case "waiting_for_limit":
      return `hold ${iso(nextDay(NOW))}`;
    default:
      return "drop";
  }
}

/** Why the account sends nothing automatic at all. */
function closedBy(gate: Gate | null): string | null {
  if (gate === null) return "not_connected";
  if (!gate.hasAccess) return "no_subscription";
  if (reach(gate, NOW).byHandOnly) return "account_stopped";
  return (gate.pausedUntil ?? 0) > NOW ? "account_paused" : null;
}

it(
  "what the planner plans and the claim decides is what the rule book says, in over 20,000 worlds",
  { timeout: 240_000 },
  async () => {
    const owners = await makeWorlds();
    const { db, bus } = engine.deps;
    const clock = createClock({ base: () => NOW });
    const everybody = sql<boolean>`l.owner_id = any(${owners.map(({ id }) => id)}::uuid[])`;
    const worlds = await readAutomationFacts(db, NOW, everybody);
    expect(worlds).toHaveLength(OWNERS * LEADS_EACH);

    const seen = Object.fromEntries(AUTOMATION_STATES.map((state) => [state, 0]));
    for (const { facts } of worlds) seen[automationState(facts)] = (seen[automationState(facts)] ?? 0) + 1;
    expect(Object.entries(seen).filter(([, count]) => count < 50)).toEqual([]);

    const expected = new Map<string, string>();
    for (const { leadId, facts } of worlds) {
      const at = plannedFor(facts);
      if (at !== null) expected.set(leadId, iso(at));
    }
    await planFollowups({ db, bus, clock });
    const { rows: planned } = await sql<{ lead_id: string; not_before: string }>`
    select lead_id, not_before from outbox where kind = 'followup' and dedupe_key like 'followup:%'`.execute(db);
    expect(planned.length).toBeGreaterThan(1_000);
    const wrong = planned
      .map((row) => [row.lead_id, iso(Date.parse(row.not_before))] as const)
      .filter(([lead, at]) => expected.get(lead) !== at)
      .map(([lead, at]) => ({
        lead,
        at,
        expected: expected.get(lead),
        facts: worlds.find(({ leadId }) => leadId === lead)?.facts,
      }));
    expect(wrong.slice(0, 2)).toEqual([]);
    const done = new Set(planned.map(({ lead_id }) => lead_id));
    const missing = worlds.filter(({ leadId }) => expected.has(leadId) && !done.has(leadId));
    expect(missing.slice(0, 2)).toEqual([]);

    const gates = new Map<string, { gate: Gate | null; account: string }>();
    await db.transaction().execute(async (tx) => {
      for (const { id, session, telegram_user_id } of owners) {
        const account = { accountId: session, userId: id, telegramUserId: String(telegram_user_id), fence: 0n };
        gates.set(id, {
          gate: await readGate(tx, account as Parameters<typeof readGate>[1], NOW),
          account: account.telegramUserId,
        });
      }
    });
    const ownerOf = new Map<string, string>();
    const { rows: whose } = await sql<{ id: string; owner_id: string }>`select id, owner_id from leads`.execute(db);
    whose.forEach((row) => ownerOf.set(row.id, row.owner_id));
    const looked = sql`select * from outbox where kind = 'followup' and state = 'pending' and not_before <= ${iso(NOW)}::timestamptz`;
    const theirs = sql<boolean>`l.id in (select o.lead_id from (${looked}) o)`;
    const after = new Map((await readAutomationFacts(db, NOW, theirs)).map(({ leadId, facts }) => [leadId, facts]));
    const rows = await readCandidates(db, looked);
    const tally: Record<string, number> = {};
    const disagreed: unknown[] = [];
    for (const row of rows) {
      const facts = after.get(row.lead_id ?? "") as AutomationFacts;
      const { gate = null, account = "" } = gates.get(ownerOf.get(row.lead_id ?? "") ?? "") ?? {};
      const closed = closedBy(gate);
      const { state } = leadAutomation(facts);
      if (closed !== null || gate === null) {
        // Nothing leaves: the rule book says so too, for the account's sake or for the lead's.
        if (state === "scheduled" || WAITS.includes(state)) {
          const isLater = (leadAutomation(facts).dueAt ?? 0) >= (facts.pausedUntil ?? Infinity);
          if (closed !== "account_paused" || !isLater) disagreed.push({ closed, state, facts });
        }
        tally[closed ?? ""] = (tally[closed ?? ""] ?? 0) + 1;
        continue;
      }
      const verdict = judge(row, gate, account, NOW);
      const decided = verdict.do === "hold" ? `hold ${iso(verdict.until)}` : verdict.do;
      if (decided !== decidedFor(facts)) disagreed.push({ decided, by: decidedFor(facts), state, facts });
      tally[verdict.do] = (tally[verdict.do] ?? 0) + 1;
    }
    expect(disagreed.slice(0, 2)).toEqual([]);
    for (const kind of [
      "send",
      "hold",
      "drop",
      "not_connected",
      "no_subscription",
      "account_stopped",
      "account_paused",
    ])
      expect([kind, (tally[kind] ?? 0) > 30]).toEqual([kind, true]);
  },
);
