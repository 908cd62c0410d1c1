import { sql } from "kysely";
import { expect } from "vitest";
import { foldStandings, forgetEmptyStandings, readStandings } from "../../../server/forecast/standings.ts";
import { automationState, READY_TO_SEND } from "../../../domain/lead-automation.ts";
import { readAutomationFacts } from "../../../server/followups/automation-facts.ts";
import { listOverdue } from "../../../server/followups/overdue.ts";
import { automaticSteps, type DueSteps, findDue, overdueSteps, planFollowups } from "../../../server/followups/plan.ts";
import { refreshStalePlans } from "../../../server/followups/stale-plans.ts";
import { createIntake, type Intake } from "../../../server/leads/intake.ts";
import { moveLead } from "../../../server/leads/stage-move.ts";
import { planReminders } from "../../../server/reminders/plan.ts";
import { foldSettled } from "../../../server/outbox/fold.ts";
import { createStageRules } from "../../../server/stages/rules.ts";
import { newLead, newStep, type Seller, type TestEngine } from "../../../tests/support/engine.ts";
import { telegramMessage } from "../../../tests/support/telegram-message.ts";
import { addRow, changeRows, removeRows, rowsOf } from "../../../tests/support/rows.ts";

const HOUR_S = 3_600;

let engine: TestEngine;
let intake: Intake;

/** Returns a generator of whole numbers below `n`, reproducible by the seed. */
function numbers(seed: number): (n: number) => number {
  let state = seed;
  return (n) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
}

type World = {
  seller: Seller;
  leads: { id: string; telegramUserId: string }[];
  stages: string[];
  pick: (n: number) => number;
};

async function newWorld(seed: number): Promise<World> {
  const seller = await engine.newSeller({ automated: true });
  const second = await addRow(engine.deps.db, "stages", {
    owner_id: seller.id,
    name: "Second",
    order: 2,
    keywords: ["second"],
  });
  for (const order of [0, 1, 2])
    await newStep(engine, seller, { message: `Step ${order}`, order, delayHours: 1 + order });
  const leads = [];
  for (let index = 0; index < 6; index += 1) leads.push(await newLead(engine, seller));
  await addRow(engine.deps.db, "reminders", {
    owner_id: seller.id,
    stage: "Second",
    stage_id: second.id,
    delay_days: 1,
    channel_id: "me",
    template: "{name}",
  });
  return { seller, leads, stages: [seller.stageId, second.id], pick: numbers(seed) };
}

const storeMessage = ({ seller }: World, lead: { telegramUserId: string }, text: string, isOutgoing: boolean) =>
  intake.record(seller.id, [
    telegramMessage({
      userId: seller.id,
      accountUserId: seller.telegramUserId,
      peer: { id: lead.telegramUserId },
      isOutgoing,
      text,
      date: new Date(Math.floor(engine.clock.now() / 1000) * 1000).toISOString(),
    }),
  ]);

const call = ({ seller }: World, method: "POST" | "PATCH" | "DELETE", url: string, payload?: object) =>
  engine.call(seller, method, url, payload);

/** Events for a seller's leads, steps or settings, each done with the product's own code. */
const events: Record<string, (world: World) => Promise<unknown>> = {
  "time passes": ({ pick }) => engine.advance((1 + pick(30)) * HOUR_S),
  "a person writes": (world) => storeMessage(world, lead(world), "hello", false),
  "a person's message moves the lead": (world) => storeMessage(world, lead(world), "second", false),
  "the seller writes on the phone": (world) => storeMessage(world, lead(world), "hi", true),
  "both write within one second": async (world) => {
    const one = lead(world);
    await storeMessage(world, one, "hello", world.pick(2) === 0);
    await storeMessage(world, one, "hi", world.pick(2) === 0);
  },
  "the seller moves a lead": (world) =>
    moveLead(engine.deps.db, {
      ownerId: world.seller.id,
      leadId: lead(world).id,
      toStageId: world.stages[world.pick(2)] ?? "",
      at: engine.clock.iso(),
      by: { reason: "manual" },
    }),
  "a lead enters with an old date": async (world) => {
    world.leads.push(
      await newLead(engine, world.seller, { enteredAt: engine.clock.now() - world.pick(200) * HOUR_S * 1000 }),
    );
  },
  "due steps are planned": () => planFollowups(engine.deps),
  "reminders about stuck leads are planned": () => planReminders(engine.deps),
  "planned messages are sent": async (world) => {
    const sender = await engine.startSending(world.seller, engine.fakeTelegram());
    await engine.idle();
    await sender.stop();
  },
  "settled messages move to the ledger": () => foldSettled(engine.deps, -1),
  "a planned step is withdrawn": (world) =>
    sql`delete from outbox where id = (select min(id) from outbox where owner_id = ${world.seller.id}::uuid and state = 'pending' and kind = 'followup')`.execute(
      engine.deps.db,
    ),
  "a planned step is refused": (world) =>
    sql`update outbox set state = 'failed', reason = 'MESSAGE_EMPTY', settled_at = ${engine.clock.iso()}::timestamptz
      where id = (select min(id) from outbox where owner_id = ${world.seller.id}::uuid and state = 'pending')`.execute(
      engine.deps.db,
    ),
  "a person becomes unreachable or reachable again": (world) =>
    sql`update leads set unreachable_reason = case when unreachable_reason is null then 'USER_IS_BLOCKED' end where id = ${lead(world).id}::uuid`.execute(
      engine.deps.db,
    ),
  "an import adds a lead": (world) =>
    sql`update leads set imported_at = ${engine.clock.iso()}::timestamptz where id = ${lead(world).id}::uuid`.execute(
      engine.deps.db,
    ),
  "the seller holds a lead, skips its step or resumes it": (world) => {
    const until = new Date(engine.clock.now() + (1 + world.pick(60)) * HOUR_S * 1000).toISOString();
    const orders = [{ action: "hold" }, { action: "hold", until }, { action: "skip" }, { action: "resume" }];
    return call(world, "POST", `/leads/${lead(world).id}/automation`, orders[world.pick(4)]);
  },
  "a person opts out": (world) => storeMessage(world, lead(world), "STOP", false),
  "a dry run begins or ends": async (world) => call(world, "PATCH", "/settings", { dry_run: world.pick(2) === 0 }),
  "automation is turned on or off": (world) =>
    sql`update user_settings set auto_followups_enabled = not auto_followups_enabled,
      auto_followups_since = case when auto_followups_enabled then null else ${engine.clock.iso()}::timestamptz end
      where user_id = ${world.seller.id}::uuid`.execute(engine.deps.db),
  "a step's delay is changed": async (world) =>
    call(world, "PATCH", `/followups/${await step(world)}`, { message: "New", delay_hours: 1 + world.pick(100) }),
  "a step is moved to another stage": async (world) =>
    call(world, "PATCH", `/followups/${await step(world)}`, {
      message: "New",
      stage_id: world.stages[world.pick(2)],
    }),
  "a step is deleted": async (world) => call(world, "DELETE", `/followups/${await step(world)}`),
  "a deleted step is restored": async (world) => {
    const id = await step(world);
    await call(world, "DELETE", `/followups/${id}`);
    await call(world, "POST", `/followups/${id}/restore`);
  },
  "a step is added": (world) =>
    newStep(
      engine,
      { ...world.seller, stageId: world.stages[1] ?? "" },
      { message: "Added", order: 1_000 + world.leads.length + world.pick(1_000), delayHours: 1 + world.pick(50) },
    ),
};

const lead = ({ leads, pick }: World) => leads[pick(leads.length)] as World["leads"][number];
async function step({ seller, pick }: World): Promise<string> {
  const rows = await engine.deps.db
    .selectFrom("followups")
    .select("id")
    .where("owner_id", "=", seller.id)
    .orderBy("id")
    .execute();
  return rows[pick(rows.length)]?.id ?? seller.id;
}

/** Returns the leads that the planner finds among its candidates. */
const found = async ({ seller }: World, steps: DueSteps) => {
  const where = sql<boolean>`s.user_id = ${seller.id}::uuid`;
  const { rows } = await findDue(engine.deps.db, engine.clock.now(), { steps, where });
  return rows.map(({ lead_id: id }) => id).toSorted();
};

/** Returns the leads that are due by the rule, among all leads, with no restriction on the account. */
const due = async ({ seller }: World, { state }: DueSteps) => {
  const now = engine.clock.now();
  const { hasAccess, isConnected, isStopped, pausedUntil, lastBulkAt, coldLeft, hours } = READY_TO_SEND;
  const open = { hasAccess, isConnected, isStopped, pausedUntil, lastBulkAt, coldLeft, hours };
  const all = await readAutomationFacts(engine.deps.db, now, sql<boolean>`l.owner_id = ${seller.id}::uuid`);
  return all
    .filter(({ facts }) => facts.step?.use === null && facts.step.dueAt <= now)
    .filter(({ facts }) => automationState({ ...facts, ...open }) === state)
    .map(({ leadId }) => leadId)
    .toSorted();
};

/** Counts an owner's leads by their state, one by one. */
const counted = async ({ id }: Seller) => {
  const { rows } = await sql`
    select stage_id, followup_order_sent as cursor, opted_out_at is not null as is_opted_out, unreachable_reason is not null as is_unreachable,
      held_at is not null and coalesce(held_until > ${engine.clock.iso()}::timestamptz, true) as is_held,
      coalesce(last_inbound_at > greatest(stage_entered_at, last_followup_sent_at, last_manual_at), false) as has_replied,
      count(*)::int as total
    from leads where owner_id = ${id}::uuid group by 1, 2, 3, 4, 5, 6`.execute(engine.deps.db);
  return rows.map((row) => JSON.stringify(row)).toSorted();
};
const storedDue = async ({ id }: Seller) =>
  (await readStandings(engine.deps.db, id, engine.clock.now())).map((row) => JSON.stringify(row)).toSorted();

/** Returns the leads for whom a rule still has to fire: all, or those that the rule looks at. */
const stuck = async ({ seller }: World, isLookedAt: boolean) => {
  const { rows } = await sql<{ id: string }>`
    select l.id from reminders r join leads l on l.stage_id = r.stage_id and l.owner_id = r.owner_id
    where r.owner_id = ${seller.id}::uuid and l.stage_entered_at <= ${engine.clock.iso()}::timestamptz - r.delay_days * interval '1 day'
      ${isLookedAt ? sql`and l.stage_entered_at > coalesce(r.told_until, '-infinity')` : sql``}
      and not exists (select from reminder_marks m where m.reminder_id = r.id and m.lead_id = l.id and m.epoch = l.stage_entry_epoch)
    order by 1`.execute(engine.deps.db);
  return rows;
};

function begin(on: TestEngine): void {
  engine = on;
  intake = createIntake(engine.deps, createStageRules(engine.deps.db, engine.deps.bus));
}

/**
 * Makes 40 random events happen in each world. Compares the due steps found by index with the rule, and the stored counts with a count.
 * @returns how often each kind of lead occurred
 * @throws when they differ
 */
export async function runDueIndex(on: TestEngine, worlds: number) {
  begin(on);
  const names = Object.keys(events);
  let seenDue = 0;
  let seenStuck = 0;
  let seenOverdue = 0;
  for (let seed = 1; seed <= worlds; seed += 1) {
    const world = await newWorld(seed);
    const steps: string[] = [];
    for (let count = 0; count < 40; count += 1) {
      const name = names[world.pick(names.length)] ?? "";
      steps.push(name);
      await events[name]?.(world);
      await refreshStalePlans(engine.deps.db);
      const facts = await due(world, automaticSteps);
      expect(await found(world, automaticSteps), steps.join(", ")).toEqual(facts);
      const overdue = await due(world, overdueSteps);
      expect(await found(world, overdueSteps), steps.join(", ")).toEqual(overdue);
      const { leads } = await listOverdue(engine.deps, world.seller.id);
      expect(leads.map(({ lead_id: id }) => id).toSorted(), steps.join(", ")).toEqual(overdue);
      seenOverdue += overdue.length;
      if (count % 4 === 0) await foldStandings(engine.deps);
      expect(await storedDue(world.seller), steps.join(", ")).toEqual(await counted(world.seller));
      const left = await stuck(world, false);
      expect(await stuck(world, true), steps.join(", ")).toEqual(left);
      seenDue += facts.length;
      seenStuck += left.length;
    }
  }
  return { due: seenDue, overdue: seenOverdue, stuck: seenStuck };
}

/** Moves and deletes leads in bulk, and compares the stored totals with a count. @throws when they differ */
export async function runStandings(on: TestEngine): Promise<void> {
  begin(on);
  const { seller, leads, stages } = await newWorld(1);
  const { db } = engine.deps;
  const neighbour = await newWorld(2);
  const held = { held_at: engine.clock.iso(), held_until: "2999-01-01T00:00:00Z" };
  await changeRows(db, "leads", { owner_id: neighbour.seller.id }, held);
  await changeRows(db, "leads", { owner_id: seller.id }, { stage_id: stages[1] ?? "" });
  await changeRows(db, "leads", { id: lead({ leads, pick: () => 2 } as never).id }, { stage_id: stages[0] ?? "" });
  await removeRows(db, "leads", { id: leads[0]?.id ?? "" });
  const totals = await rowsOf(db, "lead_totals", { owner_id: seller.id }, ["stage_id", "total"]);
  expect(new Map(totals.map(({ stage_id, total }) => [stage_id, total]))).toEqual(
    new Map([
      [stages[0], 1],
      [stages[1], 4],
    ]),
  );
  expect(await storedDue(seller)).toEqual(await counted(seller));
  await Promise.all([foldStandings(engine.deps), foldStandings(engine.deps)]);
  expect(await storedDue(seller)).toEqual(await counted(seller));
  await db.deleteFrom("leads").where("owner_id", "=", seller.id).execute();
  expect(await storedDue(seller)).toEqual([]);
  await foldStandings(engine.deps);
  await forgetEmptyStandings(engine.deps);
  const { rows: left } = await sql`select 1 from lead_standings where owner_id = ${seller.id}::uuid
    union all select 1 from lead_standing_changes where owner_id = ${seller.id}::uuid`.execute(db);
  expect(left).toEqual([]);
  await newLead(engine, seller);
  await sql`delete from auth.users where id = ${seller.id}::uuid`.execute(db);
  expect(await storedDue(seller)).toEqual([]);
}
