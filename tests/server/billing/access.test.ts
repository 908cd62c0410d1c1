import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, expect, test } from "vitest";
import { createClock } from "../../../server/core/clock.ts";
import { createSubscriptionGate } from "../../../server/billing/gate.ts";
import { accessCases, NOW } from "../../support/access-cases.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";
import { addRows, changeRows } from "../../support/rows.ts";
import { openStore, partsOn } from "../../support/parts.ts";

const people = accessCases.map((item) => ({ ...item, userId: randomUUID() }));
const at = new Date(NOW).toISOString();
const store = await openStore();
const { db, bus } = await partsOn(store, createClock());
await addRows(
  db,
  "auth.users",
  people.map(({ userId }) => ({ id: userId, email: `${userId}@example.com`, encrypted_password: "none" })),
);
const rows = people.flatMap(({ userId, row }) => (row === null ? [] : [{ user_id: userId, ...row }]));
await db.insertInto("subscriptions").values(rows).execute();
afterAll(() => store.close());

const wrong = (open: Map<string, boolean>) =>
  people.filter(({ userId, isOpen }) => open.get(userId) !== isOpen).map(({ name }) => name);

test("allows the same 112 of 1,152 records in the server's gate as in the browser", async () => {
  const gate = createSubscriptionGate({ db, bus, clock: createClock({ base: () => NOW }) });
  const open = new Map<string, boolean>();
  // One at a time: a slow machine has too few database connections for a thousand at once.
  for (const { userId } of people) open.set(userId, await gate.hasSubscription(userId));
  expect(wrong(open)).toEqual([]);
});

test("applies an unannounced change in the gate within a second", async () => {
  const person = people.find(({ row, isOpen }) => isOpen && row?.status === "trialing");
  if (person === undefined) throw new Error("a subscriber is needed");
  const clock = createVirtualClock(store.work, NOW);
  const gate = createSubscriptionGate({ db, bus, clock });
  expect(await gate.hasSubscription(person.userId)).toBe(true);
  const set = (status: string) => changeRows(db, "subscriptions", { user_id: person.userId }, { status });
  await set("unpaid");
  expect(await gate.hasSubscription(person.userId)).toBe(true);
  await clock.pass(1_000);
  expect(await gate.hasSubscription(person.userId)).toBe(false);
  await set("trialing");
  await bus.publish("subscription.changed", { user_id: person.userId });
  await store.idle();
  expect(await gate.hasSubscription(person.userId)).toBe(true);
});

test("does not cache a failed read", async () => {
  const [person] = people;
  const gate = createSubscriptionGate({ db, bus, clock: createClock({ base: () => NOW }) });
  await sql`alter table public.subscriptions rename to moved_away`.execute(db);
  await expect(gate.hasSubscription(person?.userId ?? "")).rejects.toMatchObject({ code: "42P01" });
  await sql`alter table public.moved_away rename to subscriptions`.execute(db);
  expect(await gate.hasSubscription(person?.userId ?? "")).toBe(person?.isOpen);
});

test("allows the same in the workers' SQL", async () => {
  const rows = await db
    .selectFrom("auth.users")
    .select(["id", sql<boolean>`public.has_access(auth.users.id, ${at}::timestamptz)`.as("is_open")])
    .execute();
  expect(wrong(new Map(rows.map((row) => [row.id, row.is_open])))).toEqual([]);
});
