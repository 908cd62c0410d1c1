import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { sql } from "kysely";
import { pino } from "pino";
import { createWork } from "../../server/core/work.ts";
import { createClock } from "../../server/core/clock.ts";
import { FORECAST_LISTED, type Forecast } from "../../domain/forecast.ts";
import { plannerRunAt } from "../../domain/reminder-expiry.ts";
import { sentViews, type SentView } from "../../sandbox/telegram/controls/views.ts";
import { runNetwork } from "../../sandbox/telegram/network.ts";
import { accountByPhone } from "../../sandbox/telegram/world/people.ts";
import { createBus } from "../../server/core/bus.ts";
import { readConfig } from "../../server/core/config.ts";
import type { Deps } from "../../server/core/deps.ts";
import { createJobs } from "../../server/core/jobs.ts";
import { openLanguages } from "../../server/core/languages.ts";
import { openDatabase } from "../../server/db/index.ts";
import { planFollowups, PLANNING_HORIZON_MS } from "../../server/followups/plan.ts";
import { readForecast } from "../../server/forecast/forecast.ts";
import { createIntake } from "../../server/leads/intake.ts";
import { claimNext } from "../../server/outbox/claim.ts";
import type { SenderAccount } from "../../server/outbox/port.ts";
import { settleSent } from "../../server/outbox/settle.ts";
import { planReminders } from "../../server/reminders/plan.ts";
import { createStageRules } from "../../server/stages/rules.ts";
import { startAccountKeeper, telegramConnection } from "../../server/telegram/index.ts";
import { writeAccounts } from "../bench/scale/installation.ts";
import { testDatabase } from "../../tests/support/database.ts";
import { randomStream } from "../../tests/support/seed.ts";
import { diceOf, HOUR_MS, makeWorld, meetPeople, openChannel, type World } from "./forecast-worlds.ts";
import { pause } from "./house.ts";

export type ProofFigures = {
  worlds: number;
  predicted: number;
  received: number;
  kinds: Record<string, number>;
  wrong: string[];
};

const MINUTE_MS = 60_000;
const WITHIN_MS = 60_000;
const AT_ONCE = 25;
/** Worlds start at a random hour of this week; messages planned by then were planned an hour earlier. */
const START = Date.parse("2030-03-04T00:00:00.000Z");

type Clock = Deps["clock"] & { set(time: number): void };
type Network = Awaited<ReturnType<typeof runNetwork>>;

/** A clock that only moves when it is set. */
export function fixedClock(time: number): Clock {
  const clock = createClock({ base: () => time });
  return { ...clock, set: (next) => clock.jump(Math.max(0, next - clock.now())) };
}

/**
 * Generates worlds, loads the forecast of each, lets 24 hours pass without replies, and compares the forecast with what the simulated
 * network received: the same leads and steps in the same order, each within its minute.
 */
export async function compareForecasts(plan: {
  worlds: number;
  seed: number;
  /** the most leads of a world, besides the two that each world has */
  people?: number;
  print: (line: string) => void;
}): Promise<ProofFigures> {
  const figures: ProofFigures = { worlds: 0, predicted: 0, received: 0, kinds: {}, wrong: [] };
  const random = randomStream(plan.seed);
  while (figures.worlds < plan.worlds) {
    const count = Math.min(AT_ONCE, plan.worlds - figures.worlds);
    await runDay({ count, people: plan.people ?? 9 }, random, figures);
    plan.print(`${figures.worlds} worlds, ${figures.received} messages, ${figures.wrong.length} wrong`);
  }
  return figures;
}

async function runDay(
  { count, people: mostPeople }: { count: number; people: number },
  random: () => number,
  figures: ProofFigures,
): Promise<void> {
  const dice = diceOf(random);
  const now = START + dice.upTo(7 * 24 * 60) * MINUTE_MS + dice.upTo(59_999);
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), "leadloom-forecast-"));
  const clock = fixedClock(now - HOUR_MS);
  const network = await runNetwork({ dir: path.join(dataDir, "network"), clock });
  const database = await testDatabase();
  const opened = await openDatabase(database.options);
  const config = readConfig({ LEADLOOM_DATA: dataDir, LOG_LEVEL: "silent" });
  const logger = pino({ level: process.env["CHAOS_LOG"] ?? "silent" });
  const bus = await createBus(opened.db, opened.engine, () => {});
  const work = createWork();
  const jobs = createJobs({ engine: opened.engine, clock, logger, work }, { runsWork: false });
  const deps = {
    config,
    db: opened.db,
    engine: opened.engine,
    clock,
    bus,
    jobs,
    languages: openLanguages(),
    logger,
    work,
  };
  const held = new Map<string, SenderAccount>();
  const intake = createIntake(deps, createStageRules(deps.db, bus));
  const { dcs, mainDcId } = network.world;
  openChannel(network);
  const accounts = await writeAccounts(opened, dataDir, network, count, figures.worlds);
  const keeper = await startAccountKeeper(deps, {
    connection: telegramConnection(config, { dcs, mainDcId, publicKeyPem: network.publicKeyPem }),
    onLeased: async (account) => {
      held.set(account.userId, account);
      return { stop: async () => {} };
    },
    onIncoming: (messages) => intake.record(messages[0].userId, messages),
    onEdited: async () => {},
    onDeleted: async () => {},
    onRead: async () => {},
  });
  try {
    await until(
      "the accounts to be held",
      async () => held.size === count && (await countOf(deps, "telegram_state", "updates_pts")) === count,
    );
    const people = accounts.map((account) => meetPeople(network, account, 2 + dice.upTo(mostPeople)).length);
    const met = people.reduce((sum, each) => sum + each, 0);
    await until("the leads to be stored", async () => (await countOf(deps, "leads")) === met);
    const worlds: World[] = [];
    for (const account of accounts) worlds.push(await makeWorld(deps, account, dice, now));
    if (dice.chance(0.5)) await planFollowups(deps);
    clock.set(now);
    const forecasts = new Map<World, Forecast>();
    for (const world of worlds) forecasts.set(world, await readForecast(deps, world.account.userId, 24));
    await passDay(deps, held, random, now + 24 * HOUR_MS);
    for (const world of worlds) await compare(deps, network, world, forecasts.get(world), figures);
    figures.worlds += count;
  } finally {
    await keeper.stop();
    await network.close();
    await opened.close();
    await database.drop();
    fs.rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Runs the engine from event to event, up to `end`. */
async function passDay(
  deps: Deps & { clock: Clock },
  held: Map<string, SenderAccount>,
  random: () => number,
  end: number,
): Promise<void> {
  const { clock } = deps;
  const wakes = new Map([...held.values()].map((account) => [account, clock.now()]));
  let planAt: number | null = plannerRunAt(clock.now());
  for (;;) {
    const next = Math.min(planAt ?? Infinity, ...wakes.values());
    if (next >= end) return;
    clock.set(next);
    if (planAt !== null && planAt <= clock.now()) {
      const planned = (await planFollowups(deps)) + (await planReminders(deps));
      if (planned > 0) for (const { owner_id, at } of await plannedNow(deps)) wake(wakes, held, owner_id, at);
    }
    for (const [account, at] of wakes) {
      if (at > clock.now()) continue;
      wakes.set(account, (await sendNext(deps, account, random)) ?? Infinity);
    }
    const later = await nextPlan(deps);
    planAt = planAt === null || planAt <= clock.now() ? later : Math.min(planAt, later ?? Infinity);
  }
}

function wake(wakes: Map<SenderAccount, number>, held: Map<string, SenderAccount>, owner: string, at: number): void {
  const account = held.get(owner);
  if (account !== undefined) wakes.set(account, Math.min(wakes.get(account) ?? Infinity, at));
}

/** Runs a sender once. @returns the time of its next run */
async function sendNext(
  deps: Deps & { clock: Clock },
  account: SenderAccount,
  random: () => number,
): Promise<number | null> {
  const claimed = await claimNext({ deps, account, random });
  if (claimed.claim === null) return claimed.until;
  const { claim } = claimed;
  deps.clock.set(claim.startAt);
  const sent = await account.port.sendText({ to: claim.to, text: claim.text, randomId: claim.randomId });
  await settleSent(deps, account, claim, sent);
  return deps.clock.now();
}

/** Returns when the planner, which runs every full minute, next finds work. */
async function nextPlan({ db, clock }: Deps): Promise<number | null> {
  const { rows } = await sql<{ step: string | null; reminder: string | null }>`
    select (select date_trunc('minute', greatest(min(due_at) - ${`${PLANNING_HORIZON_MS} milliseconds`}::interval, ${clock.iso()}::timestamptz)) + interval '1 minute'
        from lead_due where not is_backlog and due_at > ${clock.iso()}::timestamptz) as step,
      (select date_trunc('minute', min(l.stage_entered_at + r.delay_days * interval '1 day')) + interval '1 minute'
        from reminders r join leads l on l.stage_id = r.stage_id
        where l.stage_entered_at + r.delay_days * interval '1 day' > date_trunc('minute', ${clock.iso()}::timestamptz)) as reminder`.execute(
    db,
  );
  const times = [rows[0]?.step, rows[0]?.reminder].flatMap((time) =>
    time == null ? [] : [Math.ceil(Date.parse(time))],
  );
  return times.length === 0 ? null : Math.min(...times);
}

/** Returns the owners whose messages were planned just now, and when the first of these may be sent. */
async function plannedNow({ db, clock }: Deps): Promise<{ owner_id: string; at: number }[]> {
  const { rows } = await sql<{ owner_id: string; at: string }>`select owner_id, min(not_before) as at from outbox
    where state = 'pending' and created_at = ${clock.iso()}::timestamptz group by owner_id`.execute(db);
  return rows.map(({ owner_id, at }) => ({ owner_id, at: Date.parse(at) }));
}

/** Identifies a message in the forecast and on the network. */
type Send = { at: number; what: string };

async function compare(
  deps: Deps,
  network: Network,
  world: World,
  forecast: Forecast | undefined,
  figures: ProofFigures,
): Promise<void> {
  if (forecast === undefined || forecast.total > FORECAST_LISTED) throw new Error("a world's forecast is incomplete");
  const account = accountByPhone(network.world, world.account.phone);
  if (account === undefined) throw new Error("a world has no account");
  const texts = await textsOf(deps, world.account.userId);
  const predicted = forecast.items.map(({ at, kind, lead, step, preview }): Send => ({
    at: Date.parse(at),
    what:
      kind === "reminder"
        ? `reminder ${preview}`
        : `${kind} ${lead?.id} ${step === null ? preview : texts.get(step.id)}`,
  }));
  for (const { kind } of forecast.items) figures.kinds[kind] = (figures.kinds[kind] ?? 0) + 1;
  const received = sentViews(network.world, account).map((view) => sendOf(view, world));
  figures.predicted += predicted.length;
  figures.received += received.length;
  const problem = differenceOf(predicted, received, Date.parse(forecast.until));
  if (problem !== null) figures.wrong.push(`${world.account.phone} ${world.description}: ${problem}`);
}

function sendOf({ to_user_id, text, at }: SentView, { leadOf }: World): Send {
  const lead = leadOf.get(to_user_id);
  const kind = text === "to all" ? "bulk" : "followup";
  return {
    at: Date.parse(at),
    what: lead === undefined ? `reminder ${text.split("\n")[0]}` : `${kind} ${lead} ${text}`,
  };
}

/** Returns the first difference. A message within a minute of the end may be on either side of it. */
function differenceOf(predicted: readonly Send[], received: readonly Send[], end: number): string | null {
  for (let place = 0; place < Math.max(predicted.length, received.length); place += 1) {
    const [forecast, actual] = [predicted[place], received[place]];
    if (forecast?.what === actual?.what && Math.abs((forecast?.at ?? 0) - (actual?.at ?? 0)) <= MINUTE_MS) continue;
    const first = Math.min(forecast?.at ?? Infinity, actual?.at ?? Infinity);
    if (first >= end - MINUTE_MS && (forecast === undefined || actual === undefined)) return null;
    const show = (send: Send | undefined) =>
      send === undefined ? "nothing" : `${send.what} at ${new Date(send.at).toISOString()}`;
    return `${place} of ${predicted.length}/${received.length}: forecast ${show(forecast)}, received ${show(actual)}`;
  }
  return null;
}

async function textsOf({ db }: Deps, ownerId: string): Promise<Map<string, string>> {
  const rows = await db.selectFrom("followups").select(["id", "message"]).where("owner_id", "=", ownerId).execute();
  return new Map(rows.map((row) => [row.id, row.message]));
}

async function countOf({ db }: Deps, table: "leads" | "telegram_state", key?: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from ${sql.table(table)}
    ${key === undefined ? sql`` : sql`where key = ${key}`}`.execute(db);
  return rows[0]?.count ?? 0;
}

async function until(what: string, ask: () => Promise<boolean>): Promise<void> {
  for (const end = performance.now() + WITHIN_MS; !(await ask());) {
    if (performance.now() > end) throw new Error(`timed out waiting for ${what}`);
    await pause(20);
  }
}
