import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { STOPPED_MESSAGE } from "../../../domain/refusal-messages.ts";
import { english } from "../../support/english.ts";
import { bulkCalls } from "../../support/bulk-calls.ts";
import { isRealPostgres } from "../../support/database.ts";
import { newLead, newStep, ownEngine } from "../../support/engine.ts";
import { lostAnswer, refusal } from "../../support/fake-telegram.ts";
import { PNG } from "../../support/files.ts";
import { changeRows, rowsOf } from "../../support/rows.ts";
import { untilLocked } from "../../support/waiting.ts";

const DAY_MS = 86_400_000;

const engine = await ownEngine();
const bulk = bulkCalls(engine);

describe("a bulk message limited by Telegram", () => {
  it("waits out a flood limit, fails no lead, and resumes", async () => {
    const { seller, leads, telegram } = await bulk.sellerWithLeads(3);
    telegram.fail(refusal("FLOOD_WAIT_3600", 420));
    await engine.startSending(seller, telegram);
    const id = await bulk.start(seller);
    const paused_reason = "Telegram asked this account to wait. Sending resumes automatically.";
    const waiting = { status: "in_progress", failed_count: 0, paused_reason };
    expect(await bulk.untilPaused(seller, id)).toMatchObject(waiting);
    await engine.advance(3_500);
    await engine.startSending(seller, telegram);
    expect(telegram.calls).toHaveLength(1);
    const types: string[] = [];
    const off = engine.deps.bus.on("event", ({ user_id, type }) => user_id === seller.id && types.push(type));
    await engine.advance(101);
    const end = { status: "completed", sent_count: leads.length, failed_count: 0 };
    expect(await bulk.untilFinished(seller, id)).toMatchObject(end);
    expect(types).toContain("telegram.changed");
    off();
  });

  it("stops automated sends at the spam limit with a message, not manual ones", async () => {
    const { seller, leads, telegram } = await bulk.sellerWithLeads(5);
    telegram.fail(refusal("PEER_FLOOD"), { to: leads[2]!.telegramUserId });
    await engine.startSending(seller, telegram);
    const id = await bulk.start(seller);
    const job = await bulk.untilFinished(seller, id);
    expect(job).toMatchObject({ status: "failed", error: english(STOPPED_MESSAGE), total_targets: 5 });
    expect((job.sent_count ?? 0) + (job.failed_count ?? 0)).toBe(5);
    expect(telegram.calls.at(-1)?.to).toBe(leads[2]!.telegramUserId);
    const refused = await bulk.post(seller, { message: "Again" });
    expect([refused.status, refused.body]).toMatchObject([409, { code: "account_limited" }]);
    await newStep(engine, seller, { message: "By hand", order: 0 });
    const byHand = engine.call(seller, "POST", `/followups/send/${leads[4]!.id}`);
    expect((await engine.clock.passWhile(byHand)).status).toBe(200);
    expect(telegram.delivered.at(-1)?.text).toBe("By hand");
  });

  it.skipIf(!isRealPostgres).each([
    { what: "cancels its messages", failure: refusal("PEER_FLOOD"), locked: "outbox" },
    { what: "disconnects at a spam limit", failure: refusal("PEER_FLOOD"), locked: "telegram_sessions" },
    { what: "disconnects at a flood limit", failure: refusal("FLOOD_WAIT_90", 420), locked: "telegram_sessions" },
  ])("leaves the job unlocked while the user $what", async ({ failure, locked }) => {
    const { db } = engine.deps;
    const { seller, id } = await bulk.startFailing(2, failure);
    let refused = Promise.resolve();
    await db.transaction().execute(async (tx) => {
      const rows =
        locked === "outbox"
          ? sql`outbox where job_id = ${id}::uuid and state = 'pending'`
          : sql`telegram_sessions where id = ${seller.accountId}::uuid`;
      await sql`select from ${rows} for update`.execute(tx);
      refused = engine.clock.pass(40);
      await untilLocked(db, 1);
      await sql`select from bulk_jobs where id = ${id}::uuid for update nowait`.execute(tx);
    });
    await refused;
    const states = (await rowsOf(db, "outbox", { job_id: id }, ["state"])).map(({ state }) => state);
    expect(new Set(states)).toEqual(new Set([failure.message === "PEER_FLOOD" ? "cancelled" : "pending"]));
  });

  it.skipIf(!isRealPostgres)("locks a failing job's messages in the order of their ids", async () => {
    const { db } = engine.deps;
    const { id } = await bulk.startFailing(3, refusal("PEER_FLOOD"));
    const pending = await rowsOf(db, "outbox", { job_id: id, state: "pending" }, ["id"]);
    const [second, third] = pending.map((row) => row.id).toSorted((a, b) => Number(a) - Number(b));
    // Stored and indexed before the second one.
    const later = { not_before: "2999-01-01T00:00:00Z" };
    await changeRows(db, "outbox", { id: third! }, { ...later, priority: 0 });
    await changeRows(db, "outbox", { id: second! }, later);
    let refused = Promise.resolve();
    await db.transaction().execute(async (tx) => {
      await sql`select from outbox where id = ${second}::bigint for update`.execute(tx);
      refused = engine.clock.pass(40);
      await untilLocked(db, 1);
      const free = sql`select from outbox where id = ${third}::bigint for update skip locked`;
      expect((await free.execute(tx)).rows).toHaveLength(1);
    });
    await refused;
  });

  it("fails the job at the first refusal of the message itself", async () => {
    const { seller, telegram } = await bulk.sellerWithLeads(4);
    telegram.fail(refusal("PHOTO_INVALID_DIMENSIONS"));
    await engine.startSending(seller, telegram);
    const error = "Telegram does not accept the picture's dimensions. Choose another picture.";
    const end = { status: "failed", error, sent_count: 0, failed_count: 4 };
    expect(await bulk.untilFinished(seller, await bulk.start(seller))).toMatchObject(end);
    expect(telegram.calls).toHaveLength(1);
  });

  it("keeps the daily limit for cold contacts, and resumes the next day", async () => {
    const seller = await engine.newSeller({ dailyCap: 2 });
    const longAgo = engine.clock.now() - 40 * DAY_MS;
    for (let index = 0; index < 4; index += 1) await newLead(engine, seller, { enteredAt: longAgo });
    const warm = await newLead(engine, seller);
    const telegram = await engine.telegramOf(seller);
    const id = await bulk.start(seller);
    const paused_reason =
      "The daily limit for people you have not talked to lately is reached. Sending resumes tomorrow.";
    const paused = { sent_count: 3, paused_reason, paused_code: "daily_limit" };
    expect(await bulk.untilPaused(seller, id)).toMatchObject(paused);
    expect(telegram.delivered[0]?.to).toBe(warm.telegramUserId);
    await engine.advance(DAY_MS / 1000);
    expect(await bulk.untilFinished(seller, id)).toMatchObject({ status: "completed", sent_count: 5 });
  });

  it("stops when the subscription ends, and resumes when it is renewed", async () => {
    const { seller, telegram } = await bulk.sellerWithLeads(2);
    const setStatus = (status: string) =>
      changeRows(engine.deps.db, "subscriptions", { user_id: seller.id }, { status });
    await setStatus("canceled");
    const id = await bulk.start(seller);
    await engine.startSending(seller, telegram);
    expect((await bulk.read(seller, id)).paused_reason).toBe("The subscription has ended. Renew it to go on.");
    await engine.advance(60);
    expect(telegram.calls).toHaveLength(0);
    await setStatus("active");
    await engine.advance(1);
    expect(await bulk.untilFinished(seller, id)).toMatchObject({ status: "completed", sent_count: 2 });
  });
});

describe("a bulk message whose picture cannot be uploaded", () => {
  async function orderedWithPicture() {
    const { seller, telegram } = await bulk.sellerWithLeads(1);
    const answer = await bulk.post(seller, { message: "News", stage_id: "", throttle: "0.1" }, PNG);
    const { job_id: id } = answer.body;
    return {
      telegram,
      start: () => engine.startSending(seller, telegram),
      rows: () => rowsOf(engine.deps.db, "outbox", { job_id: id }, ["state", "reason", "is_uncertain"]),
      /** The delay between retries grows to five minutes. */
      async ended() {
        for (;;) {
          const job = await bulk.read(seller, id);
          if (job.status !== "in_progress") return job;
          await engine.advance(300);
        }
      },
    };
  }

  it("tries fifty times, and then ends the job with a message", async () => {
    const { telegram, start, rows, ended } = await orderedWithPicture();
    telegram.fail(refusal("UPLOAD_FAILED", 503), { times: Infinity });
    await start();
    const error =
      "The picture or video could not be uploaded to Telegram. Attach it once more, or another one, and try again.";
    expect(await ended()).toMatchObject({ status: "failed", error, sent_count: 0, failed_count: 1 });
    expect(telegram.calls).toHaveLength(50);
    expect(await rows()).toEqual([{ state: "failed", reason: "UPLOAD_FAILED", is_uncertain: false }]);
  });

  it("does not retry or fail a message that may have arrived", async () => {
    const { telegram, start, rows, ended } = await orderedWithPicture();
    telegram.fail(lostAnswer(), { afterDelivery: true });
    telegram.fail(refusal("UPLOAD_FAILED", 503), { times: Infinity });
    await start();
    expect(await ended()).toMatchObject({ status: "completed", error: null });
    expect(await rows()).toEqual([{ state: "unknown", reason: "UPLOAD_FAILED", is_uncertain: true }]);
    expect(telegram.delivered).toHaveLength(1);
  });

  it("knows that nothing was sent while the picture could not be read", async () => {
    const { telegram, start, rows, ended } = await orderedWithPicture();
    await sql`alter table media rename to media_away`.execute(engine.deps.db);
    try {
      await start();
      await engine.idle();
      expect(await rows()).toEqual([{ state: "pending", reason: "UPLOAD_FAILED", is_uncertain: false }]);
    } finally {
      await sql`alter table media_away rename to media`.execute(engine.deps.db);
    }
    expect(await ended()).toMatchObject({ status: "completed", sent_count: 1 });
    expect(telegram.delivered).toHaveLength(1);
  });
});
