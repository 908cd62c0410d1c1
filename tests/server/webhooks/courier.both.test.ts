import { randomUUID } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { compose, type Composed } from "../../../server/compose.ts";
import { readConfig } from "../../../server/core/config.ts";
import type { Running } from "../../../server/core/deps.ts";
import { createVault } from "../../../server/core/vault.ts";
import { dropExpiredDeliveries, eraseWebhookEvents, tidyWebhooks } from "../../../server/webhooks/tidy.ts";
import { rotateWebhookSecrets } from "../../../server/webhooks/rotate.ts";
import { startWebhookCourier } from "../../../server/webhooks/courier.ts";
import type { Poster, PostOutcome } from "../../../server/webhooks/post.ts";
import { claimDue } from "../../../server/webhooks/queue.ts";
import { addWebhook, listDeliveries, replayDelivery } from "../../../server/webhooks/repository.ts";
import { isRealPostgres, testDatabase } from "../../support/database.ts";
import { createVirtualClock, type VirtualClock } from "../../support/virtual-clock.ts";
import { untilIdle } from "../../support/waiting.ts";
import { addAuthUser } from "../../support/parts.ts";
import { addRows } from "../../support/rows.ts";

let composed: Composed;
let clock: VirtualClock;
let drop: () => Promise<void>;
let ownerId: string;
let stages: string[];
const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), "leadloom-webhooks-"));

beforeAll(async () => {
  const database = await testDatabase();
  ({ drop } = database);
  composed = await compose(readConfig({ LEADLOOM_DATA: dataDir, LOG_LEVEL: "error" }), { database: database.options });
  // Deliveries are written at the database's time.
  clock = createVirtualClock(composed.deps.work, Date.now());
});
afterAll(async () => {
  await composed.close();
  await drop();
  fs.rmSync(dataDir, { recursive: true });
});
beforeEach(async () => {
  const { db } = composed.deps;
  await db.deleteFrom("webhooks").execute();
  ownerId = (await addAuthUser(db)).id;
  await setAccess("active");
  const rows = [1, 2, 3].map((order) => ({ owner_id: ownerId, name: `Stage ${order}`, keywords: [], order }));
  stages = (await addRows(db, "stages", rows)).map(({ id }) => id);
});

/** Gives the owner, or another user, access or takes it away. */
async function setAccess(status: "active" | "canceled", userId = ownerId): Promise<void> {
  const row = { user_id: userId, status };
  const insert = composed.deps.db.insertInto("subscriptions").values(row);
  await insert.onConflict((conflict) => conflict.column("user_id").doUpdateSet({ status })).execute();
}

const vault = () => createVault(composed.deps.config.encryptionKeys);
const add = (url: string, of = ownerId) =>
  addWebhook(
    composed.deps,
    vault(),
    { url, events: ["lead.stage_changed"], enabled: true },
    { ownerId: of, key: null, fingerprint: "", at: composed.deps.clock.iso() },
  );
async function leads(count: number, owner = ownerId, stage = stages[0]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    insert into leads (owner_id, telegram_user_id, stage_id, created_at, stage_entered_at)
    select ${owner}::uuid, n, ${stage ?? null}::uuid, now(), now() from generate_series(1, ${count}) n returning id`.execute(
    composed.deps.db,
  );
  return rows.map(({ id }) => id);
}
const move = (ids: string[], stage: number) =>
  sql`update leads set stage_id = ${stages[stage] ?? null}::uuid where id = any(${ids}::uuid[])`.execute(
    composed.deps.db,
  );

type Sent = { url: string; lead: string; stage: number; key: string };
/** Receivers in memory: each answers as it is told, or hangs. */
function fakePoster(answer: (sent: Sent) => PostOutcome | "hangs") {
  const sent: Sent[] = [];
  const stopped = Promise.withResolvers<PostOutcome>();
  const poster: Poster = {
    async post({ url, body, eventKey }) {
      const { data } = JSON.parse(body) as { data: { lead_id: string; stage_id: string } };
      const one = { url, lead: data.lead_id, stage: stages.indexOf(data.stage_id), key: eventKey };
      sent.push(one);
      const outcome = answer(one);
      return outcome === "hangs" ? composed.deps.work.pauseFor(stopped.promise) : outcome;
    },
    stop: async () => stopped.resolve({ status: null, error: "stopped" }),
  };
  return { poster, sent };
}
const idle = () => untilIdle(composed.deps.work);
async function startCourier(poster: Poster): Promise<Running> {
  const courier = await startWebhookCourier({ ...composed.deps, clock }, { poster });
  await idle();
  return courier;
}
const taken: PostOutcome = { status: 204, error: null };
const refused: PostOutcome = { status: 500, error: "The receiver answered 500." };
const open = async () => {
  const { rows } = await composed.deps.engine.pool.query<{ n: number }>(
    "select count(*)::int as n from webhook_deliveries where settled_at is null",
  );
  return rows[0]?.n ?? 0;
};

test("of each lead one event is under way at a time, in its order; what fails holds up its own lead alone", async () => {
  await add("https://one.example.com/");
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

test("keeps deliveries for 7 days while access is gone, and resumes with access", async () => {
  const { deps } = composed;
  const { id: webhookId } = await add("https://one.example.com/");
  const [ann = "", ben = ""] = await leads(2);
  const { poster, sent } = fakePoster(() => taken);
  await setAccess("canceled");
  await move([ann, ben], 1);
  await move([ann], 2);
  const courier = await startCourier(poster);
  await deps.bus.publish("webhook.ready", { webhook_id: webhookId });
  const age = (days: number, lead: string, stage: number) =>
    sql`update webhook_deliveries d set at = now() - make_interval(days => ${days}) from webhook_events e
      where e.id = d.event_id and d.lead_id = ${lead}::uuid and e.data ->> 'stage_id' = ${stages[stage] ?? ""}`.execute(
      deps.db,
    );
  await age(8, ann, 1);
  await age(6, ann, 2);
  await tidyWebhooks(deps);
  expect(sent).toEqual([]);
  const logged = async () => {
    const { items } = await listDeliveries(deps.db, { ownerId, id: webhookId }, { limit: 10 });
    return items.map(({ state, error }) => [state, error]);
  };
  const dropped = "Dropped after 7 days without an active subscription.";
  expect(await logged()).toEqual([
    ["pending", null],
    ["pending", null],
    ["given_up", dropped],
  ]);
  await age(9, ben, 1);
  await setAccess("active");
  await deps.db.transaction().execute((tx) => dropExpiredDeliveries(tx, deps, ownerId));
  await deps.bus.publish("subscription.changed", { user_id: ownerId });
  await idle();
  expect(await open()).toBe(0);
  expect(sent).toMatchObject([{ lead: ann, stage: 2 }]);
  expect((await logged()).map(([state]) => state)).toEqual(["delivered", "given_up", "given_up"]);
  await courier.stop();
});

test("does not retry failed deliveries while access is gone", async () => {
  await add("https://one.example.com/");
  const { poster, sent } = fakePoster(() => refused);
  await move(await leads(1), 1);
  const courier = await startCourier(poster);
  expect(sent).toHaveLength(1);
  await setAccess("canceled");
  await sql`update webhook_deliveries set next_try_at = now() - interval '1 second'`.execute(composed.deps.db);
  await composed.deps.bus.publish("subscription.changed", { user_id: ownerId });
  await idle();
  expect(sent).toHaveLength(1);
  await setAccess("active");
  await composed.deps.bus.publish("subscription.changed", { user_id: ownerId });
  await idle();
  expect(sent).toHaveLength(2);
  await courier.stop();
});

test("a receiver that hangs keeps no event of another owner's from going out", async () => {
  await add("https://hangs.example.com/");
  const { poster, sent } = fakePoster(({ url }) => (url.includes("hangs") ? "hangs" : taken));
  const courier = await startCourier(poster);
  await move(await leads(300), 1);
  await idle();
  const hanging = sent.length;
  const [first = ""] = stages;
  const other = await addAuthUser(composed.deps.db);
  await setAccess("active", other.id);
  await add("https://good.example.com/", other.id);
  await move(await leads(20, other.id, first), 1);
  await idle();
  const good = sent.filter(({ url }) => url.includes("good"));
  expect([good.length, new Set(good.map(({ lead }) => lead)).size]).toEqual([20, 20]);
  expect([hanging, sent.filter(({ url }) => url.includes("hangs")).length]).toEqual([4, 4]);
  await courier.stop();
});

/** Adds webhooks of the owner in the order of their ids, more than a person may have. */
async function addMany(url: string, count: number, isFailing = false): Promise<void> {
  const at = composed.deps.clock.iso();
  const rows = Array.from({ length: count }, (_, place) => {
    const id = `${isFailing ? "a" : "b"}${place.toString().padStart(7, "0")}${randomUUID().slice(8)}`;
    const { version, bytes } = vault().seal(Buffer.from("whsec_AAAA"), { userId: ownerId, rowId: id });
    const failing = isFailing ? { failing_since: at, failures: 1 } : {};
    return {
      id,
      owner_id: ownerId,
      url,
      events: ["lead.stage_changed" as const],
      key_version: version,
      sealed: bytes,
      created_at: at,
      ...failing,
    };
  });
  await composed.deps.db.insertInto("webhooks").values(rows).execute();
}

test("receivers that hang take no more connections than there is room for", async () => {
  await addMany("https://hangs.example.com/", 300);
  await addMany("https://hangs.example.com/", 8, true);
  await move(await leads(4), 1);
  const { poster, sent } = fakePoster(() => "hangs");
  const courier = await startCourier(poster);
  await composed.deps.bus.publish("clock.moved", {});
  await idle();
  expect(sent).toHaveLength(1_024 + 8);
  await courier.stop();
});

test("receivers of which this process does not know that they fail take no more connections either", async () => {
  await addMany("https://hangs.example.com/", 1_300, true);
  const { poster, sent } = fakePoster(() => "hangs");
  const courier = await startCourier(poster);
  await move(await leads(1), 1);
  await idle();
  expect(sent.length).toBeGreaterThan(128);
  expect(sent.length).toBeLessThanOrEqual(1_024 + 128);
  await courier.stop();
});

test("receivers that have all in flight that they may keep no other waiting", async () => {
  await addMany("https://hangs.example.com/", 200);
  await sql`update webhooks set url = 'https://good.example.com/' where id = (select id from webhooks order by id desc limit 1)`.execute(
    composed.deps.db,
  );
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

test("a receiver that accepts some is not taken for one that fails, whichever answer came last", async () => {
  await addMany("https://hangs.example.com/", 128, true);
  await addMany("https://good.example.com/", 1);
  const people = await leads(8);
  await move(people, 1);
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

test("a receiver that failed once has its turn among many that go on failing", async () => {
  await addMany("https://dead.example.com/", 140, true);
  await sql`update webhooks set url = 'https://good.example.com/' where id = (select id from webhooks order by id desc limit 1)`.execute(
    composed.deps.db,
  );
  await move(await leads(6), 1);
  const { poster, sent } = fakePoster(({ url }) => (url.includes("good") ? taken : refused));
  const courier = await startCourier(poster);
  expect(sent).toHaveLength(140 * 6);
  // Each of the others was posted to twice at most by then.
  expect(sent.findIndex(({ url }) => url.includes("good"))).toBeLessThan(2 * 140);
  await courier.stop();
});

test("a receiver that accepts is not failing any more, whenever it began to fail", async () => {
  await addMany("https://one.example.com/", 1, true);
  // As an upgrade leaves one that failed before it.
  await sql`update webhooks set failures = 0`.execute(composed.deps.db);
  await move(await leads(1), 1);
  const { poster } = fakePoster(() => taken);
  const courier = await startCourier(poster);
  const { rows } = await sql`select failing_since from webhooks`.execute(composed.deps.db);
  expect(rows).toEqual([{ failing_since: null }]);
  await courier.stop();
});

test("an upgrade lets what waits behind a failed delivery wait as long", async () => {
  const { id: webhookId } = await add("https://one.example.com/");
  const people = await leads(2);
  for (const stage of [1, 2]) await move(people, stage);
  const { db } = composed.deps;
  const later = "2099-01-01T00:00:00Z";
  // As it was written before.
  await sql`update webhook_deliveries set state = 'failed', next_try_at = ${later}::timestamptz where id in
    (select min(id) from webhook_deliveries where webhook_id = ${webhookId}::uuid and lead_id = ${people[0] ?? ""}::uuid)`.execute(
    db,
  );
  const file = new URL("../../../supabase/migrations/20260718000200_deliveries_behind_failed.sql", import.meta.url);
  await sql.raw(fs.readFileSync(file, "utf8")).execute(db);
  const { rows } = await sql<{
    later: number;
    due: number;
  }>`select count(*) filter (where next_try_at = ${later}::timestamptz)::int as later,
    count(*) filter (where next_try_at = '-infinity')::int as due from webhook_deliveries where webhook_id = ${webhookId}::uuid`.execute(
    db,
  );
  expect(rows).toEqual([{ later: 2, due: 2 }]);
});

test("what a process that died had in its hands is another's once its lease is over, in the same order", async () => {
  const { id: webhookId } = await add("https://one.example.com/");
  const people = await leads(2);
  for (const stage of [1, 2]) await move(people, stage);
  const claim = async () => (await claimDue(composed.deps, [webhookId])).due;
  expect(await claim()).toHaveLength(2);
  expect(await claim()).toEqual([]);
  await sql`update webhook_deliveries set lease_until = now() - interval '1 second' where lease_until is not null`.execute(
    composed.deps.db,
  );
  const due = (await claim()).map(({ data }) => data);
  expect(due.map((data) => stages.indexOf(String(data["stage_id"])))).toEqual([1, 1]);
  expect(new Set(due.map((data) => data["lead_id"]))).toEqual(new Set(people));
  expect(await claim()).toEqual([]);
});

test("a delivery that failed while the host's clock was ahead waits no longer than its wait, once the clock is set right", async () => {
  const { id: webhookId } = await add("https://later.example.com/");
  clock.jump(7_200_000);
  let isAhead = true;
  const { poster, sent } = fakePoster(() => (isAhead ? refused : taken));
  const courier = await startCourier(poster);
  await move(await leads(3), 1);
  await idle();
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from webhook_deliveries
    where webhook_id = ${webhookId}::uuid and state = 'failed'`.execute(composed.deps.db);
  expect(rows).toEqual([{ n: 3 }]);
  isAhead = false;
  clock.jump(-7_200_000);
  const setRightAt = clock.monotonic();
  await composed.deps.bus.publish("clock.moved", {});
  await clock.passUntil(async () => (await open()) === 0 || null);
  // A small part of the two hours that they wait when they believe the clock.
  expect(clock.monotonic() - setRightAt).toBeLessThan(600_000);
  expect(sent).toHaveLength(6);
  await courier.stop();
});

test("secrets are sealed anew under the newest key, and open under it", async () => {
  const { id, secret } = await add("https://one.example.com/");
  const { encryptionKeys } = composed.deps.config;
  const newer = createVault([...encryptionKeys, { version: 2, key: Buffer.alloc(32, 7) }]);
  expect(await rotateWebhookSecrets(composed.deps.db, newer)).toBe(1);
  expect(await rotateWebhookSecrets(composed.deps.db, newer)).toBe(0);
  const row = await composed.deps.db.selectFrom("webhooks").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
  const sealed = { version: row.key_version, bytes: row.sealed };
  expect(newer.open(sealed, { userId: ownerId, rowId: id }).toString()).toBe(secret);
  expect(() => newer.open(sealed, { userId: ownerId, rowId: randomUUID() })).toThrow("unable to authenticate data");
});

test.skipIf(!isRealPostgres)(
  "an event that is being erased is not sent again, and neither waits for the other",
  async () => {
    const { db, clock: productClock } = composed.deps;
    const { id: webhookId } = await add("https://one.example.com/");
    const people = await leads(1);
    await move(people, 1);
    const { items } = await listDeliveries(db, { ownerId, id: webhookId }, { limit: 1 });
    const asked = { ownerId, key: null, fingerprint: "", at: productClock.iso() };
    const of = { id: webhookId, deliveryId: items[0]?.id ?? "" };
    await db.transaction().execute(async (tx) => {
      await sql`select from webhook_events where owner_id = ${ownerId}::uuid for update`.execute(tx);
      const replay = replayDelivery(composed.deps, of, asked);
      await expect(replay).rejects.toMatchObject({ status: 404 });
      await eraseWebhookEvents(tx, { ownerId, leadIds: people });
    });
    expect(await open()).toBe(0);
  },
);
