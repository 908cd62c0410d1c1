import { Stripe } from "stripe";
import { createClock } from "../../../server/core/clock.ts";
import type { Billing } from "../../../server/billing/context.ts";
import { claimCustomer } from "../../../server/billing/customer.ts";
import { receive } from "../../../server/billing/webhook.ts";
import { runningSubscription } from "../../../sandbox/billing/checkout.ts";
import { parseForm } from "../../../sandbox/billing/form.ts";
import * as life from "../../../sandbox/billing/lifecycle.ts";
import { answer } from "../../../sandbox/billing/listener.ts";
import { openStore as openStripe } from "../../../sandbox/billing/store.ts";
import { itemOf, seconds, type World } from "../../../sandbox/billing/world.ts";
import { addAuthUser, openStore, partsOn, type Store } from "../../../tests/support/parts.ts";
import { rowOf } from "../../../tests/support/rows.ts";
import { randomStream } from "../../../tests/support/seed.ts";

const STEPS = 12;
const DAY = 86_400;
const GRACE_DAYS = 7;

/** Returns a generator of whole numbers below a given one, reproducible by the seed. */
function randomBy(seed: number): (below: number) => number {
  const random = randomStream(seed);
  return (below) => Math.floor(random() * below);
}

let store: Store;
let world: World;
let processes: [Billing, Billing];
let random = randomBy(0);
let time = Date.parse("2026-11-21T12:00:00Z");

/** The real SDK with requests answered in this process, each after random delays in both directions. */
function stripeHere(): Stripe {
  // Most responses arrive at once, some long after later ones.
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
    return new Response(body, { status });
  };
  return new Stripe("sk_test_here", { telemetry: false, httpClient: Stripe.createFetchHttpClient(fetchHere) });
}

async function open(): Promise<void> {
  store = await openStore();
  const clock = createClock({ base: () => time });
  world = { store: openStripe(store.dataDir), clock, publicUrl: () => "http://127.0.0.1:1" };
  const deps = await partsOn(store, clock, { env: { PAST_DUE_GRACE_DAYS: String(GRACE_DAYS) } });
  // Two processes of one installation share only the database.
  processes = [
    { deps, stripe: stripeHere(), priceId: "price" },
    { deps, stripe: stripeHere(), priceId: "price" },
  ];
}

/** Makes a random event happen to a customer's subscription. */
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
    life.saveChanged(world, subscription);
  } else if (what < 4) life.setCard(world, customer, random(2) === 0);
  else if (what < 5) life.endSubscription(world, subscription, seconds(world), "cancellation_requested");
  else time += [1, 3, 8, 20, 31][random(5)]! * DAY * 1000;
  life.advance(world);
}

/** Returns every event since `seq`, in order. */
const eventsSince = (seq: number) =>
  world.store.all<{ seq: number; body: string }>("select seq, body from events where seq > ? order by seq", seq);

async function live(seed: number): Promise<{ events: number; wrong: string[] }> {
  random = randomBy(seed);
  const user = await addAuthUser(store.opened.db);
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
    // The last event happens while earlier reads are still pending.
    if (step === STEPS - 2) {
      deliver(Infinity);
      await new Promise((resolve) => setTimeout(resolve, random(25)));
    }
  }
  deliver(Infinity);
  await Promise.all(under);
  const wrong = await differences(user.id, customer);
  for (const subscription of world.store.list("subscription", { customer }))
    if (!life.hasEnded(subscription))
      life.endSubscription(world, subscription, seconds(world), "cancellation_requested");
  return { events, wrong };
}

/** Returns where the stored row differs from the provider's data, in the columns that a seller would notice. */
async function differences(userId: string, customer: string): Promise<string[]> {
  const row = await rowOf(store.opened.db, "subscriptions", { user_id: userId });
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

/**
 * Runs generated subscriptions; two processes receive their events repeated and out of order.
 * @returns where the stored row differs from the provider's data at the end, by seed
 */
export async function runBillingLives(lives: number): Promise<{ events: number; wrong: Record<number, string[]> }> {
  await open();
  const wrong: Record<number, string[]> = {};
  let events = 0;
  for (let seed = 1; seed <= lives; seed += 1) {
    const life = await live(seed);
    events += life.events;
    if (life.wrong.length > 0) wrong[seed] = life.wrong;
  }
  world.store.close();
  await store.close();
  return { events, wrong };
}
