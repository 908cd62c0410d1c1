import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeEach, expect, test } from "vitest";
import type { Running } from "../../../server/core/deps.ts";
import { createVault } from "../../../server/core/vault.ts";
import { dropExpiredDeliveries, eraseWebhookEvents, tidyWebhooks } from "../../../server/webhooks/tidy.ts";
import { rotateWebhookSecrets } from "../../../server/webhooks/rotate.ts";
import { startWebhookCourier } from "../../../server/webhooks/courier.ts";
import type { Poster, PostOutcome } from "../../../server/webhooks/post.ts";
import { claimDue, sweepOpenWebhooks } from "../../../server/webhooks/queue.ts";
import { addWebhook, changeWebhook, listDeliveries, replayDelivery } from "../../../server/webhooks/repository.ts";
import { isRealPostgres } from "../../support/database.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";
import { addAuthUser, openStore, partsOn } from "../../support/parts.ts";
import { addRow, addRows, changeRows, rowOf, rowsOf, watchResults } from "../../support/rows.ts";
import { setAccess } from "../../support/tenant.ts";
import { untilLocked } from "../../support/waiting.ts";

const store = await openStore();
afterAll(() => store.close());
// The database's clock sets the times of deliveries.
const deps = await partsOn(store, createVirtualClock(store.work, Date.now()));
const { db, bus, clock } = deps;
const { idle } = store;
const vault = createVault(deps.config.encryptionKeys);
let ownerId: string;
let stages: string[];

beforeEach(async () => {
  await db.deleteFrom("webhooks").execute();
  ownerId = (await addAuthUser(db)).id;
  await addRow(db, "subscriptions", { user_id: ownerId, status: "active" });
  const rows = [1, 2, 3].map((order) => ({ owner_id: ownerId, name: `Stage ${order}`, keywords: [], order }));
  stages = (await addRows(db, "stages", rows)).map(({ id }) => id);
});

const askedNow = () => ({ ownerId, key: null, fingerprint: "", at: clock.iso() });
const add = (url = "https://one.example.com/") =>
  addWebhook(deps, vault, { url, events: ["lead.stage_changed"], enabled: true }, askedNow());
async function leads(count: number): Promise<string[]> {
  const at = clock.iso();
  const lead = { owner_id: ownerId, stage_id: stages[0] ?? null, created_at: at, stage_entered_at: at };
  const rows = Array.from({ length: count }, (_, n) => ({ ...lead, telegram_user_id: n + 1 }));
  return (await addRows(db, "leads", rows)).map(({ id }) => id);
}
const move = (ids: string[], stage: number) =>
  db
    .updateTable("leads")
    .set({ stage_id: stages[stage] ?? null })
    .where("id", "in", ids)
    .execute();

type Sent = { url: string; lead: string; stage: number; key: string };
/** Receivers in memory: `answer` gives each response, or a hang. */
function fakePoster(answer: (sent: Sent) => PostOutcome | "hangs") {
  const sent: Sent[] = [];
  const stopped = Promise.withResolvers<PostOutcome>();
  const poster: Poster = {
    async post({ url, body, eventKey }) {
      const { data } = JSON.parse(body) as { data: { lead_id: string; stage_id: string } };
      const one = { url, lead: data.lead_id, stage: stages.indexOf(data.stage_id), key: eventKey };
      sent.push(one);
      const outcome = answer(one);
      return outcome === "hangs" ? deps.work.pauseFor(stopped.promise) : outcome;
    },
    stop: async () => stopped.resolve({ status: null, error: "stopped" }),
  };
  return { poster, sent };
}
async function startCourier(poster: Poster): Promise<Running> {
  const courier = await startWebhookCourier(deps, { poster });
  await idle();
  return courier;
}
const taken: PostOutcome = { status: 204, error: null };
const refused: PostOutcome = { status: 500, error: "The receiver answered 500." };
const open = async () => (await rowsOf(db, "webhook_deliveries", { settled_at: null }, ["id"])).length;

test("delivers each lead's events in order; a failure blocks only that lead", async () => {
  await add();
  const people = await leads(5);
  const [stuck = ""] = people;
  let isHealed = false;
  const { poster, sent } = fakePoster(({ lead }) => (lead === stuck && !isHealed ? refused : taken));
  for (const stage of [1, 2, 1]) await move(people, stage);
  const courier = await startCourier(poster);
  expect(await open()).toBe(3);
  await move(people, 2);
  await idle();
  expect(await open()).toBe(4);
  const of = (lead: string) => sent.filter((one) => one.lead === lead).map(({ stage }) => stage);
  expect(people.slice(1).map(of)).toEqual(Array.from({ length: 4 }, () => [1, 2, 1, 2]));
  expect(new Set(of(stuck))).toEqual(new Set([1]));
  isHealed = true;
  await clock.passUntil(async () => (await open()) === 0 || null);
  expect(of(stuck).filter((stage, place, all) => stage !== all[place - 1])).toEqual([1, 2, 1, 2]);
  await courier.stop();
});

test("sends nothing without access, and resumes within 7 days", async () => {
  const { id: webhookId } = await add();
  const [ann = "", ben = ""] = await leads(2);
  let outcome = refused;
  const { poster, sent } = fakePoster(() => outcome);
  await move([ann], 1);
  const courier = await startCourier(poster);
  expect(sent).toHaveLength(1);
  await setAccess(deps, ownerId, "canceled");
  await idle();
  await move([ben], 1);
  await move([ann], 2);
  const age = async (days: number, lead: string, stage: number) => {
    const at = sql`now() - make_interval(days => ${days})`;
    await sql`update webhook_deliveries d set at = ${at}, next_try_at = ${at} from webhook_events e
      where e.id = d.event_id and d.lead_id = ${lead}::uuid and e.data ->> 'stage_id' = ${stages[stage] ?? ""}`.execute(
      db,
    );
  };
  await age(8, ann, 1);
  await age(6, ann, 2);
  await tidyWebhooks(deps);
  await bus.publish("webhook.ready", { webhook_id: webhookId });
  await bus.publish("clock.moved", {});
  await idle();
  expect(sent).toHaveLength(1);
  const logged = async () => {
    const { items } = await listDeliveries(db, { ownerId, id: webhookId }, { limit: 10 });
    return items.map(({ state, error }) => [state, error]);
  };
  const dropped = ["given_up", "Dropped after 7 days without an active subscription."];
  expect(await logged()).toEqual([["pending", null], ["pending", null], dropped]);
  await age(9, ben, 1);
  await db.transaction().execute((tx) => dropExpiredDeliveries(tx, deps, ownerId));
  outcome = taken;
  await setAccess(deps, ownerId, "active");
  await idle();
  expect(sent.slice(1)).toMatchObject([{ lead: ann, stage: 2 }]);
  expect(await logged()).toEqual([["delivered", null], dropped, dropped]);
  await courier.stop();
});

test("drops all pending deliveries when a webhook is disabled", async () => {
  const { id } = await add();
  const courier = await startCourier(fakePoster(() => "hangs").poster);
  await move(await leads(1_100), 1);
  await idle();
  await changeWebhook(deps, { ownerId, id }, { enabled: false });
  expect(await open()).toBe(100);
  await clock.pass(5_000);
  expect(await open()).toBe(0);
  await courier.stop();
});

test.runIf(isRealPostgres)("drops no event of a webhook that is re-enabled during a sweep", async () => {
  const { id } = await add();
  const [ann = ""] = await leads(1);
  await move([ann], 1);
  await changeRows(db, "webhooks", { id }, { is_enabled: false });
  let isSwitched = false;
  const switching = watchResults(db, async () => {
    if (isSwitched) return;
    isSwitched = true;
    await changeWebhook(deps, { ownerId, id }, { enabled: true });
    await move([ann], 2);
  });
  await sweepOpenWebhooks({ db: switching, clock });
  expect(await open()).toBe(1);
});

test.runIf(isRealPostgres)("drops earlier events when a webhook is re-enabled while a worker disables it", async () => {
  const { id } = await add();
  const [ann = ""] = await leads(1);
  await move([ann], 1);
  const enabling = await db.transaction().execute(async (tx) => {
    await tx.updateTable("webhooks").set({ is_enabled: false }).where("id", "=", id).execute();
    const enabled = changeWebhook(deps, { ownerId, id }, { enabled: true });
    await untilLocked(db, 1);
    return { enabled };
  });
  expect(await enabling.enabled).toMatchObject({ enabled: true });
  expect(await open()).toBe(0);
});

/** Adds webhooks of the owner in the order of their ids, more than the limit allows. */
async function addMany(url: string, count: number, isFailing = false): Promise<string> {
  const at = clock.iso();
  const rows = Array.from({ length: count }, (_, place) => {
    const id = `${isFailing ? "a" : "b"}${place.toString().padStart(7, "0")}${randomUUID().slice(8)}`;
    const { version, bytes } = vault.seal(Buffer.from("whsec_AAAA"), { userId: ownerId, rowId: id });
    const sealed = { key_version: version, sealed: bytes };
    // After an upgrade, a webhook that failed before has 0 failures.
    const failing = isFailing ? { failing_since: at, failures: place % 2 } : {};
    return {
      id,
      owner_id: ownerId,
      url,
      events: ["lead.stage_changed" as const],
      created_at: at,
      ...sealed,
      ...failing,
    };
  });
  await addRows(db, "webhooks", rows);
  return rows.at(-1)?.id ?? "";
}

test("limits the connections of hanging receivers, and more so of failing ones", async () => {
  await addMany("https://hangs.example.com/", 140, true);
  await addMany("https://hangs.example.com/", 300);
  const { poster, sent } = fakePoster(() => "hangs");
  await move(await leads(4), 1);
  // The notifications of the move name webhooks in another order, which may leave up to three places free.
  await idle();
  const courier = await startCourier(poster);
  expect(sent).toHaveLength(128 + (1_024 - 128));
  expect(await rowsOf(db, "webhook_deliveries", { lease_until: null }, ["id"])).toHaveLength(440 * 4 - 1_024);
  await courier.stop();
});

test("limits the connections of receivers that fail in another process", async () => {
  await addMany("https://hangs.example.com/", 1_300, true);
  const { poster, sent } = fakePoster(() => "hangs");
  const courier = await startCourier(poster);
  await move(await leads(1), 1);
  await idle();
  expect(sent.length).toBeGreaterThan(128);
  expect(sent.length).toBeLessThanOrEqual(1_024);
  await courier.stop();
});

test("does not block other receivers when some are at their limit", async () => {
  const last = await addMany("https://hangs.example.com/", 200);
  await changeRows(db, "webhooks", { id: last }, { url: "https://good.example.com/" });
  const people = await leads(4);
  await move(people, 1);
  const { poster, sent } = fakePoster(({ url }) => (url.includes("good") ? taken : "hangs"));
  const courier = await startCourier(poster);
  await move(people, 2);
  await idle();
  const good = sent.filter(({ url }) => url.includes("good"));
  expect([good.length, sent.length]).toEqual([8, 8 + 199 * 4]);
  await courier.stop();
});

test("does not count a receiver that accepts some deliveries as failing", async () => {
  await addMany("https://hangs.example.com/", 128, true);
  await addMany("https://good.example.com/", 1);
  await move(await leads(8), 1);
  let accepted = 0;
  const { poster, sent } = fakePoster(({ url }) => {
    if (!url.includes("good")) return "hangs";
    accepted += 1;
    return accepted % 4 === 0 ? refused : taken;
  });
  const courier = await startCourier(poster);
  expect(sent.filter(({ url }) => url.includes("good"))).toHaveLength(8);
  await courier.stop();
});

test("retries a receiver that failed once among many failing ones", async () => {
  const last = await addMany("https://dead.example.com/", 141, true);
  await changeRows(db, "webhooks", { id: last }, { url: "https://good.example.com/" });
  await move(await leads(6), 1);
  const { poster, sent } = fakePoster(({ url }) => (url.includes("good") ? taken : refused));
  const courier = await startCourier(poster);
  expect(sent).toHaveLength(141 * 6);
  // By then, each of the others got at most two requests.
  expect(sent.findIndex(({ url }) => url.includes("good"))).toBeLessThan(2 * 141);
  expect(await rowsOf(db, "webhooks", { failing_since: null }, ["id"])).toEqual([{ id: last }]);
  await courier.stop();
});

test("takes over a dead process's deliveries in order after their lease", async () => {
  const { id: webhookId } = await add();
  const people = await leads(2);
  for (const stage of [1, 2]) await move(people, stage);
  const claim = () => claimDue(deps, [webhookId]);
  expect(await claim()).toHaveLength(2);
  expect(await claim()).toEqual([]);
  await changeRows(db, "webhook_deliveries", { webhook_id: webhookId }, { lease_until: new Date(0).toISOString() });
  const due = (await claim()).map(({ data }) => data);
  expect(due.map((data) => stages.indexOf(String(data["stage_id"])))).toEqual([1, 1]);
  expect(new Set(due.map((data) => data["lead_id"]))).toEqual(new Set(people));
  expect(await claim()).toEqual([]);
});

test("keeps the exact retry delay after a fast clock is corrected", async () => {
  const { id: webhookId } = await add();
  clock.jump(7_200_000);
  let isAhead = true;
  const { poster, sent } = fakePoster(() => (isAhead ? refused : taken));
  const courier = await startCourier(poster);
  await move(await leads(3), 1);
  await idle();
  expect(await rowsOf(db, "webhook_deliveries", { webhook_id: webhookId, state: "failed" }, ["id"])).toHaveLength(3);
  isAhead = false;
  clock.jump(-7_200_000);
  const setRightAt = clock.monotonic();
  await bus.publish("clock.moved", {});
  await clock.passUntil(async () => (await open()) === 0 || null);
  // Far less than the two hours that deliveries would wait if they trusted the fast clock.
  expect(clock.monotonic() - setRightAt).toBeLessThan(600_000);
  expect(sent).toHaveLength(6);
  await courier.stop();
});

test("re-encrypts secrets with the newest key", async () => {
  const { id, secret } = await add();
  const newer = createVault([...deps.config.encryptionKeys, { version: 2, key: Buffer.alloc(32, 7) }]);
  expect(await rotateWebhookSecrets(db, newer)).toBe(1);
  expect(await rotateWebhookSecrets(db, newer)).toBe(0);
  const row = await rowOf(db, "webhooks", { id });
  const sealed = { version: row.key_version, bytes: row.sealed };
  expect(newer.open(sealed, { userId: ownerId, rowId: id }).toString()).toBe(secret);
  expect(() => newer.open(sealed, { userId: ownerId, rowId: randomUUID() })).toThrow("unable to authenticate data");
});

test.skipIf(!isRealPostgres)("does not resend an event that is being erased, without blocking", async () => {
  const { id: webhookId } = await add();
  const people = await leads(1);
  await move(people, 1);
  const { items } = await listDeliveries(db, { ownerId, id: webhookId }, { limit: 1 });
  const of = { id: webhookId, deliveryId: items[0]?.id ?? "" };
  await db.transaction().execute(async (tx) => {
    await sql`select from webhook_events where owner_id = ${ownerId}::uuid for update`.execute(tx);
    await expect(replayDelivery(deps, of, askedNow())).rejects.toMatchObject({ status: 404 });
    await eraseWebhookEvents(tx, { ownerId, leadIds: people });
  });
  expect(await open()).toBe(0);
});
