import { randomUUID } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { pino } from "pino";
import { Stripe } from "stripe";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createWork } from "../../../server/core/work.ts";
import { createClock } from "../../../server/core/clock.ts";
import type { Billing } from "../../../server/billing/index.ts";
import { claimCustomer } from "../../../server/billing/customer.ts";
import { fulfil } from "../../../server/billing/fulfil.ts";
import { receive } from "../../../server/billing/webhook.ts";
import { createBus } from "../../../server/core/bus.ts";
import { readConfig } from "../../../server/core/config.ts";
import type { Deps } from "../../../server/core/deps.ts";
import { createJobs } from "../../../server/core/jobs.ts";
import { openDatabase, type OpenDatabase } from "../../../server/db/index.ts";
import { runningSubscription } from "../../../sandbox/billing/checkout.ts";
import { parseForm } from "../../../sandbox/billing/form.ts";
import * as life from "../../../sandbox/billing/lifecycle.ts";
import { answer } from "../../../sandbox/billing/listener.ts";
import { openStore } from "../../../sandbox/billing/store.ts";
import { itemOf, seconds, type World } from "../../../sandbox/billing/world.ts";
import { testDatabase } from "../../support/database.ts";
import { addRow, rowOf } from "../../support/rows.ts";
import { randomStream } from "../../support/seed.ts";

/** The full proof runs 1,000; `npm test` takes a sample that the same seeds make. */
const LIVES = Number(process.env["BILLING_LIVES"] ?? 60);
const STEPS = 12;
const DAY = 86_400;
const GRACE_DAYS = 7;

/** Whole numbers below a given one, the same for the same seed. */
function randomBy(seed: number): (below: number) => number {
  const random = randomStream(seed);
  return (below) => Math.floor(random() * below);
}

let opened: OpenDatabase;
let drop: () => Promise<void>;
let world: World;
let processes: [Billing, Billing];
let random = randomBy(0);
/** While set, the first process's answers are under way and have not arrived. */
let underway: { left: PromiseWithResolvers<void>; arrival: PromiseWithResolvers<void> } | null = null;
let time = Date.parse("2026-11-21T12:00:00Z");
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "leadloom-shuffle-"));

/** The SDK as it is, its requests answered in this process, each after a wait of its own on the way there and back. */
function stripeHere(isFirst: boolean): Stripe {
  // Most answers come at once, some long after later ones.
  const turns = async () => {
    if (random(5) === 0) await new Promise((resolve) => setTimeout(resolve, random(12)));
  };
  const fetchHere = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    await turns();
    const url = new URL(input instanceof Request ? input.url : input);
    const text = typeof init?.body === "string" ? init.body : "";
    const form = parseForm(init?.method === "POST" ? text : url.search);
    const call = { method: init?.method ?? "GET", path: url.pathname, form, key: null, fingerprint: "" };
    const { status, body } = answer(world, call);
    await turns();
    if (isFirst && underway !== null) {
      underway.left.resolve();
      await underway.arrival.promise;
    }
    return new Response(body, { status });
  };
  return new Stripe("sk_test_here", { telemetry: false, httpClient: Stripe.createFetchHttpClient(fetchHere) });
}

beforeAll(async () => {
  const database = await testDatabase();
  drop = () => database.drop();
  opened = await openDatabase(database.options);
  const clock = createClock({ base: () => time });
  const logger = pino({ level: "silent" });
  const work = createWork();
  world = { store: openStore(folder), clock, publicUrl: () => "http://127.0.0.1:1" };
  const bus = await createBus(opened.db, opened.engine, () => {});
  const deps: Deps = {
    config: readConfig({ LEADLOOM_DATA: folder, PAST_DUE_GRACE_DAYS: String(GRACE_DAYS) }),
    db: opened.db,
    engine: opened.engine,
    clock,
    work,
    bus,
    logger,
    jobs: createJobs({ engine: opened.engine, clock, logger, work }, { runsWork: false }),
  };
  // Two processes of one installation: they share the database and nothing else.
  processes = [
    { deps, stripe: stripeHere(true), priceId: "price" },
    { deps, stripe: stripeHere(false), priceId: "price" },
  ];
});
afterAll(async () => {
  await opened.close();
  await drop();
  world.store.close();
  fs.rmSync(folder, { recursive: true });
});

/** Something happens in the life of a customer's subscription. */
function happen(customer: string): void {
  const subscription = runningSubscription(world, customer);
  if (subscription === null) {
    const trialDays = random(3) === 0 ? 14 : 0;
    const paymentMethod = trialDays > 0 && random(2) === 0 ? null : "pm_card_visa";
    life.startSubscription(world, { customer, trialDays, paymentMethod, metadata: {} });
    return;
  }
  const what = random(10);
  if (what < 2) {
    life.cancelAtPeriodEnd(world, subscription, !subscription.cancel_at_period_end);
    life.changed(world, subscription);
  } else if (what < 4) life.putCard(world, customer, random(2) === 0);
  else if (what < 5) life.end(world, subscription, seconds(world), "cancellation_requested");
  else time += [1, 3, 8, 20, 31][random(5)]! * DAY * 1000;
  life.advance(world);
}

/** Every event written since `seq`, in the order of writing. */
const eventsSince = (seq: number) =>
  world.store.all<{ seq: number; body: string }>("select seq, body from events where seq > ? order by seq", seq);

async function live(seed: number): Promise<{ events: number; wrong: string[] }> {
  random = randomBy(seed);
  const user = { id: randomUUID(), email: `${randomUUID()}@example.com` };
  await addRow(opened.db, "auth.users", { ...user, encrypted_password: "none" });
  const customer = await claimCustomer(processes[0], user);
  let seen = world.store.all<{ seq: number | null }>("select max(seq) as seq from events")[0]?.seq ?? 0;
  let waiting: Stripe.Event[] = [];
  const under: Promise<void>[] = [];
  let events = 0;
  const deliver = (count: number) => {
    for (let left = count; left > 0 && waiting.length > 0; left -= 1) {
      const [event] = waiting.splice(random(waiting.length), 1);
      if (event !== undefined) under.push(receive(processes[random(2)]!, event));
    }
  };
  for (let step = 0; step < STEPS; step += 1) {
    world.store.transact(() => happen(customer));
    for (const { seq, body } of eventsSince(seen)) {
      seen = seq;
      events += 1;
      const event = JSON.parse(body) as Stripe.Event;
      waiting.push(...Array.from({ length: 1 + random(5) }, () => event));
    }
    deliver(random(6));
    if (random(3) === 0) await Promise.all(under);
    // The last thing happens while readings of what was before are still on their way.
    if (step === STEPS - 2) {
      deliver(Infinity);
      await new Promise((resolve) => setTimeout(resolve, random(25)));
    }
  }
  deliver(Infinity);
  await Promise.all(under);
  const wrong = await differences(user.id, customer);
  for (const subscription of world.store.list("subscription", { customer }))
    if (!life.hasEnded(subscription)) life.end(world, subscription, seconds(world), "cancellation_requested");
  return { events, wrong };
}

/** In what the stored row differs from the provider's own books, by the columns a seller would notice. */
async function differences(userId: string, customer: string): Promise<string[]> {
  const row = await rowOf(opened.db, "subscriptions", { user_id: userId });
  const all = world.store.list("subscription", { customer });
  const living = all.find(({ status }) => ["active", "trialing", "past_due", "unpaid"].includes(status));
  const truth = living ?? all.find(({ status }) => status === "paused") ?? all[0];
  if (truth === undefined) return ["no subscription"];
  const owing =
    truth.status === "past_due" ? (life.latestInvoice(world, truth)?.status_transitions.finalized_at ?? null) : null;
  const expected: Record<string, string | boolean | null> = {
    provider_subscription_id: truth.id,
    provider_status: truth.status,
    status: truth.status === "past_due" ? "active" : truth.status,
    cancel_at_period_end: truth.cancel_at_period_end,
    current_period_end: iso(itemOf(truth).current_period_end),
    past_due_since: iso(owing),
    trial_ends_at: iso(truth.trial_end),
    canceled_at: iso(truth.canceled_at),
  };
  if (owing !== null && !truth.cancel_at_period_end) expected["expires_at"] = iso(owing + GRACE_DAYS * DAY);
  if (truth.status === "active" && owing === null) expected["expires_at"] = null;
  const read: Record<string, unknown> = row;
  return Object.entries(expected).flatMap(([column, value]) => {
    const stored = read[column];
    const same =
      typeof stored === "string" && /^\d{4}-/.test(stored)
        ? iso(Date.parse(stored) / 1000) === value
        : stored === value;
    return same ? [] : [`${column}: ${String(stored)} instead of ${String(value)}`];
  });
}
const iso = (time: number | null) => (time === null ? null : new Date(time * 1000).toISOString());

describe("events repeated and out of order, heard by two processes", () => {
  test("a reading that arrives late does not undo what a later one found", async () => {
    const user = { id: randomUUID(), email: `${randomUUID()}@example.com` };
    await addRow(opened.db, "auth.users", { ...user, encrypted_password: "none" });
    const customer = await claimCustomer(processes[0], user);
    const fields = { customer, trialDays: 0, paymentMethod: "pm_card_visa", metadata: {} };
    const subscription = world.store.transact(() => life.startSubscription(world, fields));
    const journey = { left: Promise.withResolvers<void>(), arrival: Promise.withResolvers<void>() };
    underway = journey;
    const late = fulfil(processes[0], user.id, "webhook");
    await journey.left.promise;
    world.store.transact(() => life.end(world, subscription, seconds(world), "cancellation_requested"));
    expect(await fulfil(processes[1], user.id, "webhook")).toEqual({ status: "canceled", isLive: false });
    underway = null;
    journey.arrival.resolve();
    await late;
    expect(await differences(user.id, customer)).toEqual([]);
  });

  test(`${LIVES} lives of subscriptions each end as the provider has them`, async () => {
    const wrong: Record<number, string[]> = {};
    let events = 0;
    for (let seed = 1; seed <= LIVES; seed += 1) {
      const life = await live(seed);
      events += life.events;
      if (life.wrong.length > 0) wrong[seed] = life.wrong;
    }
    expect(wrong).toEqual({});
    expect(events).toBeGreaterThan(LIVES * STEPS);
  }, 1_200_000);
});
