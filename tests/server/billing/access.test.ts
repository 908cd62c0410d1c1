import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createClock } from "../../../server/core/clock.ts";
import { createSubscriptionGate } from "../../../server/billing/index.ts";
import { createBus, type Bus } from "../../../server/core/bus.ts";
import { createWork } from "../../../server/core/work.ts";
import { openDatabase, type OpenDatabase } from "../../../server/db/index.ts";
import { accessCases, NOW } from "../../support/access-cases.ts";
import { testDatabase } from "../../support/database.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";
import { untilIdle } from "../../support/waiting.ts";
import { addRows } from "../../support/rows.ts";

const people = accessCases.map((item) => ({ ...item, userId: randomUUID() }));
const at = new Date(NOW).toISOString();
const work = createWork();
let opened: OpenDatabase;
let bus: Bus;
let drop: () => Promise<void>;

beforeAll(async () => {
  const database = await testDatabase();
  drop = () => database.drop();
  opened = await openDatabase(database.options);
  bus = await createBus(opened.db, opened.engine, () => {}, work);
  await addRows(
    opened.db,
    "auth.users",
    people.map(({ userId }) => ({ id: userId, email: `${userId}@example.com`, encrypted_password: "none" })),
  );
  const rows = people.flatMap(({ userId, row }) => (row === null ? [] : [{ user_id: userId, ...row }]));
  await opened.db.insertInto("subscriptions").values(rows).execute();
});
afterAll(async () => {
  await opened.close();
  await drop();
});

const wrong = (open: Map<string, boolean>) =>
  people.filter(({ userId, isOpen }) => open.get(userId) !== isOpen).map(({ name }) => name);

describe("the rule of access in the server and in the database", () => {
  test("the server's gate lets in the same 112 of 1,152 kinds of record as the browser", async () => {
    const gate = createSubscriptionGate({ db: opened.db, bus, clock: createClock({ base: () => NOW }) });
    const open = await Promise.all(
      people.map(async ({ userId }) => [userId, await gate.hasSubscription(userId)] as const),
    );
    expect(wrong(new Map(open))).toEqual([]);
  });

  test("a change that nobody told of is felt by the gate within a second", async () => {
    const person = people.find(({ row, isOpen }) => isOpen && row?.status === "trialing");
    if (person === undefined) throw new Error("a subscriber is needed");
    const clock = createVirtualClock(work, NOW);
    const gate = createSubscriptionGate({ db: opened.db, bus, clock });
    expect(await gate.hasSubscription(person.userId)).toBe(true);
    const set = (status: string) =>
      opened.db.updateTable("subscriptions").set({ status }).where("user_id", "=", person.userId).execute();
    await set("unpaid");
    expect(await gate.hasSubscription(person.userId)).toBe(true);
    await clock.pass(1_000);
    expect(await gate.hasSubscription(person.userId)).toBe(false);
    await set("trialing");
    await bus.publish("subscription.changed", { user_id: person.userId });
    await untilIdle(work);
    expect(await gate.hasSubscription(person.userId)).toBe(true);
  });

  test("a reading that failed is nobody's answer: the next call asks again", async () => {
    const [person] = people;
    const gate = createSubscriptionGate({ db: opened.db, bus, clock: createClock({ base: () => NOW }) });
    await sql`alter table public.subscriptions rename to moved_away`.execute(opened.db);
    await expect(gate.hasSubscription(person?.userId ?? "")).rejects.toMatchObject({ code: "42P01" });
    await sql`alter table public.moved_away rename to subscriptions`.execute(opened.db);
    expect(await gate.hasSubscription(person?.userId ?? "")).toBe(person?.isOpen);
  });

  test("the workers' SQL lets in the same", async () => {
    const rows = await opened.db
      .selectFrom("auth.users")
      .select(["id", sql<boolean>`public.has_access(auth.users.id, ${at}::timestamptz)`.as("is_open")])
      .execute();
    expect(wrong(new Map(rows.map((row) => [row.id, row.is_open])))).toEqual([]);
  });
});
