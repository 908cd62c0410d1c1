import { sql, type RawBuilder } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { BulkJob } from "../../../domain/bulk.ts";
import { automaticSteps, overdueSteps, planFollowups } from "../../../server/followups/plan.ts";
import { foldSettled, healReach } from "../../../server/outbox/index.ts";
import {
  createFakeTelegram,
  newLead,
  newStep,
  startTestEngine,
  type Seller,
  type TestEngine,
} from "../../support/engine.ts";

const DAY_S = 86_400;

let engine: TestEngine;
beforeAll(async () => {
  engine = await startTestEngine();
});
afterAll(() => engine.stop());

const rowsIn = async (table: "outbox" | "ledger", seller: Seller) => {
  const { rows } = await sql<Record<string, unknown>>`
    select * from ${sql.table(table)} where owner_id = ${seller.id}::uuid order by id`.execute(engine.deps.db);
  return rows;
};
/** One call; time passes until it is answered. */
const call = (seller: Seller, method: "GET" | "POST", url: string) => {
  const asked = engine.app.inject({ method, url, headers: { authorization: `Bearer ${seller.id}` } });
  return engine.clock.passWhile(asked.then((answer) => answer));
};

async function sendAll(seller: Seller) {
  const telegram = createFakeTelegram(engine.clock);
  const sender = await engine.startSending(seller, telegram);
  await engine.allSent(seller);
  await sender.stop();
  return telegram.delivered.map(({ text }) => text);
}

/** A seller with two steps of an hour, whose first one went out to one lead. */
async function sentOne() {
  const seller = await engine.newSeller({ automated: true });
  await newStep(engine, seller, { message: "First", order: 0, delayHours: 1 });
  await newStep(engine, seller, { message: "Second", order: 1, delayHours: 168 });
  const lead = await newLead(engine, seller);
  await planFollowups(engine.deps);
  expect(await sendAll(seller)).toEqual(["First"]);
  return { seller, lead };
}

describe("what was settled", () => {
  it("moves to the ledger a fortnight later, whole but for its words, and what waits stays", async () => {
    const { seller, lead } = await sentOne();
    const [before] = await rowsIn("outbox", seller);
    await engine.advance(14 * DAY_S - 60);
    await planFollowups(engine.deps);
    expect(await foldSettled(engine.deps)).toBe(0);
    await engine.advance(120);
    expect(await foldSettled(engine.deps)).toBe(1);
    expect(await rowsIn("outbox", seller)).toMatchObject([{ state: "pending", lead_id: lead.id }]);
    const kept = [
      "id",
      "kind",
      "state",
      "lead_id",
      "followup_id",
      "epoch",
      "random_id",
      "message_id",
      "attempts",
      "settled_at",
    ];
    const same = Object.fromEntries(kept.map((column) => [column, before?.[column]]));
    expect(await rowsIn("ledger", seller)).toMatchObject([
      { ...same, excerpt: "First", planned_at: before?.["created_at"], tried_at: before?.["claimed_at"] },
    ]);
  });

  it("counts as sent all the same: a step is neither planned nor sent by hand twice in its stage entry", async () => {
    const { seller, lead } = await sentOne();
    await foldSettled(engine.deps, -1);
    // As after a step before it was deleted and brought back: the cursor stands before what was sent.
    await engine.deps.db
      .updateTable("leads")
      .set({ followup_order_sent: 0, last_followup_sent_at: null })
      .where("id", "=", lead.id)
      .execute();
    expect(await planFollowups(engine.deps)).toBe(0);
    const telegram = createFakeTelegram(engine.clock);
    const sender = await engine.startSending(seller, telegram);
    const byHand = await call(seller, "POST", `/api/followups/send/${lead.id}`);
    expect([byHand.statusCode, telegram.delivered.map(({ text }) => text)]).toEqual([200, ["Second"]]);
    await foldSettled(engine.deps, -1);
    await engine.advance(60);
    expect((await call(seller, "POST", `/api/followups/send/${lead.id}`)).statusCode).toBe(409);
    await sender.stop();
  });

  it("leaves a bulk job's figures as they were, with its message in each line", async () => {
    const seller = await engine.newSeller();
    await newLead(engine, seller);
    await newLead(engine, seller);
    const body = new FormData();
    body.set("message", "News");
    body.set("throttle", "0.1");
    const form = new Response(body);
    const made = await engine.app.inject({
      method: "POST",
      url: "/api/bulk",
      headers: { authorization: `Bearer ${seller.id}`, "content-type": form.headers.get("content-type") ?? "" },
      payload: Buffer.from(await form.arrayBuffer()),
    });
    const { job_id: id } = made.json<{ job_id: string }>();
    const sender = await engine.startSending(seller, createFakeTelegram(engine.clock));
    const status = async () => (await call(seller, "GET", `/api/bulk/${id}`)).json<BulkJob>().status;
    await engine.clock.passUntil(async () => (await status()) === "completed" || null);
    await sender.stop();
    const before = (await call(seller, "GET", `/api/bulk/${id}`)).json<BulkJob>();
    expect(await foldSettled(engine.deps, -1)).toBeGreaterThan(0);
    expect((await call(seller, "GET", `/api/bulk/${id}`)).json()).toEqual(before);
    expect(await rowsIn("ledger", seller)).toMatchObject([
      { job_id: id, excerpt: "News", state: "sent" },
      { job_id: id, excerpt: "News", state: "sent" },
    ]);
  });

  it("is free again for another account that may reach whom the first could not", async () => {
    const { seller, lead } = await sentOne();
    await sql`update outbox set state = 'skipped', reason = 'PEER_NOT_KNOWN' where owner_id = ${seller.id}::uuid`.execute(
      engine.deps.db,
    );
    await foldSettled(engine.deps, -1);
    const isHealed = await engine.deps.db
      .transaction()
      .execute((tx) => healReach(tx, engine.deps, { ownerId: seller.id, telegramUserId: "1" }));
    expect([isHealed, (await rowsIn("ledger", seller)).map(({ state }) => state)]).toEqual([true, ["cancelled"]]);
    const { rows } = await sql`select from lead_due where lead_id = ${lead.id}::uuid`.execute(engine.deps.db);
    expect(rows).toHaveLength(1);
  });

  it("moves once, whoever moves it, and however many there are", async () => {
    const sellers = [await engine.newSeller(), await engine.newSeller()];
    for (const seller of sellers)
      await sql`insert into outbox (owner_id, kind, priority, dedupe_key, random_id, not_before, created_at, settled_at, state)
        select ${seller.id}::uuid, 'bulk', 4, ${seller.id} || n, n, now(), now(), ${engine.clock.iso()}::timestamptz - interval '15 days', 'sent'
        from generate_series(1, 2100) n`.execute(engine.deps.db);
    const moved = await Promise.all([foldSettled(engine.deps), foldSettled(engine.deps)]);
    expect(moved[0] + moved[1]).toBe(4_200);
    for (const seller of sellers)
      expect([(await rowsIn("outbox", seller)).length, (await rowsIn("ledger", seller)).length]).toEqual([0, 2_100]);
  });
});

it("what a step was used for is looked up by lead, however much the ledger holds", async () => {
  const seller = await engine.newSeller({ automated: true });
  await newStep(engine, seller, { message: "Step", order: 0, delayHours: 1 });
  const lead = await newLead(engine, seller);
  await sql`insert into ledger (id, owner_id, kind, state, lead_id, followup_id, epoch, random_id, attempts, planned_at, settled_at)
    select 1000000 + n, ${seller.id}::uuid, 'followup', 'sent', gen_random_uuid(), gen_random_uuid(), 1, n, 1, now(), now() - n * interval '1 second'
    from generate_series(1, 10000) n`.execute(engine.deps.db);
  await sql`analyze ledger`.execute(engine.deps.db);
  const planOf = async (statement: RawBuilder<unknown>) => {
    const { rows } = await sql<Record<string, string>>`explain ${statement}`.execute(engine.deps.db);
    return rows.map((row) => Object.values(row)[0]).join("\n");
  };
  const at = sql<string>`${engine.clock.iso()}::timestamptz`;
  const reads: RawBuilder<unknown>[] = [
    sql`select from due_candidates where lead_id = ${lead.id}::uuid`,
    sql`select from ${automaticSteps.from(engine.clock.iso())} where ${automaticSteps.where(engine.clock.iso())}`,
    sql`select from ${overdueSteps.from(engine.clock.iso())} where ${overdueSteps.where(engine.clock.iso())}`,
    sql`select from followups f where f.stage_id = ${seller.stageId}::uuid and not exists (
      select from step_uses o where o.lead_id = ${lead.id}::uuid and o.followup_id = f.id and o.epoch = 1)`,
    sql`select from ledger where owner_id = ${seller.id}::uuid and settled_at < ${at} order by settled_at desc, id desc limit 51`,
    sql`select from ledger where lead_id = ${lead.id}::uuid order by settled_at desc, id desc limit 51`,
  ];
  for (const statement of reads) {
    const plan = await planOf(statement);
    expect(plan).toMatch(/ledger_(lead|owner|uses)_idx/);
    expect(plan).not.toMatch(/Seq Scan on ledger/);
  }
  // Replies by the hundred are no uses of a step.
  const uses = sql`select from ledger where lead_id = ${lead.id}::uuid and epoch = 1 and followup_id = ${lead.id}::uuid`;
  expect(await planOf(uses)).toMatch(/Index Cond: .*followup_id = /);
});
