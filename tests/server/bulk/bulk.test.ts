import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { removeBulkJob } from "../../../server/bulk/repository.ts";
import { bulkCalls } from "../../support/bulk-calls.ts";
import { isRealPostgres } from "../../support/database.ts";
import { newLead, newStage, ownEngine, type Seller } from "../../support/engine.ts";
import { type FakeTelegram, lostAnswer, refusal } from "../../support/fake-telegram.ts";
import { changeRows, rowsOf } from "../../support/rows.ts";
import { untilLocked } from "../../support/waiting.ts";

const DAY_MS = 86_400_000;

const engine = await ownEngine();
const { db } = engine.deps;
const bulk = bulkCalls(engine);

type Lead = Awaited<ReturnType<typeof newLead>>;
const recipients = (telegram: FakeTelegram) => telegram.delivered.map(({ to }) => to);

describe("a bulk message", () => {
  it("goes to every lead once and counts who was skipped", async () => {
    const { seller, leads, telegram } = await bulk.sellerWithLeads(6);
    telegram.fail(refusal("USER_IS_BLOCKED"), { to: leads[2]!.telegramUserId });
    telegram.fail(refusal("INPUT_USER_DEACTIVATED"), { to: leads[4]!.telegramUserId });
    telegram.fail(lostAnswer(), { to: leads[1]!.telegramUserId, afterDelivery: true });
    await engine.startSending(seller, telegram);
    const id = await bulk.start(seller);
    const end = { status: "completed", error: null, sent_count: 4, failed_count: 2, total_targets: 6 };
    const unpaused = { paused_until: null, paused_reason: null, paused_code: null, is_held: false };
    expect(await bulk.untilFinished(seller, id)).toEqual({ job_id: id, ...end, ...unpaused });
    const wanted = leads.filter((_, index) => index !== 2 && index !== 4).map(({ telegramUserId }) => telegramUserId);
    expect(recipients(telegram).toSorted()).toEqual(wanted.toSorted());
    expect(telegram.mostAtOnce).toBe(1);
  });

  const refusedFor = async (seller: Seller, fields: Record<string, string>) => {
    const answer = await bulk.post(seller, { message: "News", throttle: "0.1", ...fields });
    return [answer.status, Object.keys(answer.body.fields ?? {})];
  };
  const reaches = async (seller: Seller, telegram: FakeTelegram, fields: Record<string, string>, leads: Lead[]) => {
    const id = await bulk.start(seller, fields);
    await engine.startSending(seller, telegram);
    const figures = { sent_count: leads.length, total_targets: leads.length };
    expect(await bulk.untilFinished(seller, id)).toMatchObject({ ...figures, status: "completed" });
    expect(recipients(telegram).toSorted()).toEqual(leads.map(({ telegramUserId }) => telegramUserId).toSorted());
  };

  it("goes to exactly the leads that match the filters when it is queued", async () => {
    const { seller, leads, telegram } = await bulk.sellerWithLeads(4);
    const named = leads.slice(1, 3);
    for (const { id } of named) await changeRows(db, "leads", { id }, { name: "Ann Lee" });
    for (const fields of [
      { query: "name=ann", stage_id: seller.stageId },
      { query: "colour=red" },
      { query: "name=nobody" },
    ])
      expect([fields, (await refusedFor(seller, fields))[0]]).toEqual([fields, 422]);
    await reaches(seller, telegram, { query: "name=ann" }, named);
  });

  it("goes to exactly the given leads of the user", async () => {
    const { seller, leads, telegram } = await bulk.sellerWithLeads(4);
    const other = (await bulk.sellerWithLeads(1)).leads[0]!.id;
    const named = [leads[2]!, leads[0]!];
    const lead_ids = JSON.stringify([...named.map(({ id }) => id), named[0]!.id, other]);
    const many = Array.from({ length: 5_001 }, () => crypto.randomUUID());
    const wrong: [Record<string, string>, string][] = [
      [{ lead_ids, stage_id: seller.stageId }, "lead_ids"],
      [{ lead_ids, query: "name=ann" }, "lead_ids"],
      [{ lead_ids: "[]" }, "lead_ids"],
      [{ lead_ids: "not a list" }, "lead_ids"],
      [{ lead_ids: '["somebody"]' }, "lead_ids.0"],
      [{ lead_ids: JSON.stringify(many) }, "lead_ids"],
      [{ lead_ids: JSON.stringify(many.slice(1)) }, "lead_ids"],
      [{ lead_ids: JSON.stringify([other]) }, "lead_ids"],
    ];
    for (const [fields, field] of wrong)
      expect([field, await refusedFor(seller, fields)]).toEqual([field, [422, [field]]]);
    await reaches(seller, telegram, { lead_ids }, named);
  });

  it("goes to the newest writers first, and only to the chosen stage", async () => {
    const seller = await engine.newSeller();
    const noon = engine.clock.now();
    const old = await newLead(engine, seller, { enteredAt: noon - 3 * DAY_MS });
    const recent = await newLead(engine, seller, { enteredAt: noon - DAY_MS });
    await newLead(engine, { ...seller, stageId: await newStage(engine, seller, "Other", 2) });
    const telegram = await engine.telegramOf(seller);
    const id = await bulk.start(seller, { stage_id: seller.stageId });
    expect((await bulk.untilFinished(seller, id)).total_targets).toBe(2);
    expect(recipients(telegram)).toEqual([recent.telegramUserId, old.telegramUserId]);
  });

  it("starts one of a hundred requests, and returns 409 for the others", async () => {
    const { seller } = await bulk.sellerWithLeads(3);
    const answers = await Promise.all(Array.from({ length: 100 }, () => bulk.post(seller, { message: "News" })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await rowsOf(db, "bulk_jobs", { owner_id: seller.id })).toHaveLength(1);
    // On a slow machine some requests get no database connection.
    const refused = answers.filter(({ status }) => status === 409 || status === 503);
    expect(refused).toHaveLength(99);
    expect(refused.find(({ status }) => status === 409)?.body).toEqual({
      code: "bulk_running",
      message: "A bulk message is already being sent. Please wait until it finishes.",
    });
  });

  it("is refused without leads, content or account, and with an invalid throttle", async () => {
    const { seller } = await bulk.sellerWithLeads(1);
    const empty = await engine.newSeller();
    const refused = async (who: Seller, fields: Record<string, string>) => {
      const answer = await bulk.post(who, fields);
      return [answer.status, answer.body.message];
    };
    expect(await refused(empty, { message: "News" })).toEqual([422, "No Leads In Stage."]);
    expect(await refused(seller, { message: "News", stage_id: "gone" })).toEqual([422, "No Leads In Stage."]);
    expect(await refused(seller, { message: " " })).toEqual([422, "Please enter a message or select a media file"]);
    const range = [422, "throttle: Throttle must be between 0.1 and 10 seconds per message."];
    for (const throttle of ["0.05", "10.1", "NaN", "", "-1", "1e1"]) {
      expect(await refused(seller, { message: "News", throttle })).toEqual(range);
    }
    await changeRows(db, "telegram_sessions", { user_id: seller.id }, { state: "lost" });
    expect((await bulk.post(seller, { message: "News" })).body.code).toBe("not_connected");
  });
});

describe("cancelling a bulk message", () => {
  it("starts nothing after the response, counts the current send, deletes the job", async () => {
    const { seller, leads } = await bulk.sellerWithLeads(30);
    const telegram = await engine.telegramOf(seller, { slowMs: 40 });
    const id = await bulk.start(seller);
    await engine.clock.passUntil(() => telegram.calls.length > 3 || null);
    const removed = await engine.clock.passWhile(bulk.remove(seller, id));
    const sent_count = telegram.delivered.length;
    const body = { success: true, sent_count, total_targets: leads.length };
    expect([removed.status, removed.body]).toEqual([200, body]);
    const callsAtAnswer = telegram.calls.length;
    expect((await engine.call(seller, "GET", `/bulk/${id}`)).status).toBe(404);
    const states = (await rowsOf(db, "outbox", { job_id: id }, ["state"])).map(({ state }) => state);
    const end = [...Array(leads.length - sent_count).fill("cancelled"), ...Array(sent_count).fill("sent")];
    expect(states.toSorted()).toEqual(end);
    const second = await bulk.start(seller);
    await bulk.untilFinished(seller, second);
    expect(telegram.calls).toHaveLength(callsAtAnswer + leads.length);
    // A finished job is hidden in the same way.
    expect((await bulk.remove(seller, second)).status).toBe(200);
    expect((await bulk.remove(seller, second)).status).toBe(404);
  });

  it("cancels the message in flight when Telegram refuses it after the cancellation", async () => {
    const { seller, telegram, id } = await bulk.startFailing(2, refusal("FLOOD_WAIT_90", 420));
    await engine.clock.passWhile(bulk.remove(seller, id));
    const rows = await rowsOf(db, "outbox", { job_id: id }, ["state", "reason"]);
    const ends = rows.map(({ state, reason }) => `${state} ${reason}`);
    expect(ends.toSorted()).toEqual(["cancelled JOB_ENDED", "cancelled null"]);
    expect(telegram.calls).toHaveLength(1);
  });

  it.skipIf(!isRealPostgres)("cancels a message that Telegram refuses during the cancellation", async () => {
    const { seller, id } = await bulk.startFailing(2, refusal("FLOOD_WAIT_90", 420));
    const { cancelled, refused } = await db.transaction().execute(async (tx) => {
      await sql`select from bulk_jobs where id = ${id}::uuid for share`.execute(tx);
      const cancellation = removeBulkJob(engine.deps, seller.id, id);
      await untilLocked(db, 1);
      const passing = engine.clock.pass(40);
      await Promise.race([passing, untilLocked(db, 2)]);
      return { cancelled: cancellation, refused: passing };
    });
    await Promise.all([cancelled, refused]);
    expect(await rowsOf(db, "outbox", { job_id: id }, ["state"])).toEqual([
      { state: "cancelled" },
      { state: "cancelled" },
    ]);
  });
});
