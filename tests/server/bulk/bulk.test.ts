import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { STOPPED_WORDS } from "../../../domain/send-outcome.ts";
import type { BulkJob } from "../../../domain/bulk.ts";
import {
  createFakeTelegram,
  newLead,
  newStep,
  startTestEngine,
  type FakeTelegram,
  type Seller,
  type SellerOptions,
  type TestEngine,
} from "../../support/engine.ts";
import { form } from "../../support/form.ts";
import { lostAnswer, refusal } from "../../support/fake-telegram.ts";

const DAY_MS = 86_400_000;

let engine: TestEngine;
beforeAll(async () => {
  engine = await startTestEngine();
});
afterAll(() => engine.stop());

const as = (seller: Seller) => ({ authorization: `Bearer ${seller.id}` });
const post = (seller: Seller, fields: Record<string, string>, file?: Uint8Array) => {
  const { payload, headers } = form(fields, file);
  return engine.app.inject({ method: "POST", url: "/api/bulk", headers: { ...as(seller), ...headers }, payload });
};
const read = async (seller: Seller, id: string) =>
  (await engine.app.inject({ method: "GET", url: `/api/bulk/${id}`, headers: as(seller) })).json<BulkJob>();
const remove = (seller: Seller, id: string) =>
  engine.app.inject({ method: "DELETE", url: `/api/bulk/${id}`, headers: as(seller) });
const started = async (seller: Seller, fields: Record<string, string> = {}) => {
  const answer = await post(seller, { message: "News", stage_id: "", throttle: "0.1", ...fields });
  expect(answer.statusCode).toBe(200);
  return answer.json<{ job_id: string }>().job_id;
};
const finished = (seller: Seller, id: string) =>
  vi.waitFor(
    async () => {
      const job = await read(seller, id);
      expect(job.status).not.toBe("in_progress");
      return job;
    },
    { timeout: 20_000, interval: 25 },
  );

async function sellerWithLeads(count: number, options: SellerOptions = {}) {
  const seller = await engine.newSeller(options);
  const leads = [];
  for (let index = 0; index < count; index += 1) leads.push(await newLead(engine, seller));
  return { seller, leads, telegram: createFakeTelegram(engine.clock) };
}
const recipients = (telegram: FakeTelegram) => telegram.delivered.map(({ to }) => to);

describe("a bulk message", () => {
  it("goes to every lead once and counts who was skipped", async () => {
    const { seller, leads, telegram } = await sellerWithLeads(6);
    telegram.fail(refusal("USER_IS_BLOCKED"), { to: leads[2]!.telegramUserId });
    telegram.fail(refusal("INPUT_USER_DEACTIVATED"), { to: leads[4]!.telegramUserId });
    telegram.fail(lostAnswer(), { to: leads[1]!.telegramUserId, afterDelivery: true });
    await engine.startSending(seller, telegram);
    const id = await started(seller);
    expect(await finished(seller, id)).toEqual({
      job_id: id,
      status: "completed",
      sent_count: 4,
      failed_count: 2,
      total_targets: 6,
      error: null,
      paused_until: null,
      paused_reason: null,
    });
    const wanted = leads.filter((_, index) => index !== 2 && index !== 4).map(({ telegramUserId }) => telegramUserId);
    expect(recipients(telegram).toSorted()).toEqual(wanted.toSorted());
    expect(telegram.mostAtOnce).toBe(1);
  });

  it("goes first to those who wrote last, and only to the chosen stage", async () => {
    const seller = await engine.newSeller();
    const telegram = createFakeTelegram(engine.clock);
    const noon = engine.clock.now();
    const old = await newLead(engine, seller, { enteredAt: noon - 3 * DAY_MS });
    const recent = await newLead(engine, seller, { enteredAt: noon - DAY_MS });
    const other = { ...seller, stageId: (await addStage(seller)).id };
    await newLead(engine, other);
    await engine.startSending(seller, telegram);
    const id = await started(seller, { stage_id: seller.stageId });
    expect((await finished(seller, id)).total_targets).toBe(2);
    expect(recipients(telegram)).toEqual([recent.telegramUserId, old.telegramUserId]);
  });

  it("is never sent closer together than its throttle", async () => {
    const { seller, telegram } = await sellerWithLeads(6);
    await engine.startSending(seller, telegram);
    await finished(seller, await started(seller, { throttle: "0.2" }));
    const gaps = telegram.calls.slice(1).map(({ at }, index) => at - telegram.calls[index]!.at);
    expect(gaps).toHaveLength(5);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(195);
  });

  it("is one at a time: of a hundred requests one starts, the others are answered 409", async () => {
    const { seller } = await sellerWithLeads(3);
    const answers = await Promise.all(Array.from({ length: 100 }, () => post(seller, { message: "News" })));
    const codes = answers.map(({ statusCode }) => statusCode);
    expect(codes.filter((code) => code === 200)).toHaveLength(1);
    expect(codes.filter((code) => code === 409)).toHaveLength(99);
    expect(answers.find(({ statusCode }) => statusCode === 409)?.json()).toEqual({
      code: "bulk_running",
      message: "A bulk message is already being sent. Please wait until it finishes.",
    });
  });

  it("is refused without leads, without content, with a throttle out of range, and without an account", async () => {
    const { seller } = await sellerWithLeads(1);
    const empty = await engine.newSeller();
    const refused = async (who: Seller, fields: Record<string, string>) => {
      const answer = await post(who, fields);
      return [answer.statusCode, answer.json<{ message: string }>().message];
    };
    expect(await refused(empty, { message: "News" })).toEqual([422, "No Leads In Stage."]);
    expect(await refused(seller, { message: "News", stage_id: "gone" })).toEqual([422, "No Leads In Stage."]);
    expect(await refused(seller, { message: " " })).toEqual([422, "Please enter a message or select a media file"]);
    const range = [422, "throttle: Throttle must be between 0.1 and 10 seconds per message."];
    for (const throttle of ["0.05", "10.1", "NaN", "", "-1", "1e1"]) {
      expect(await refused(seller, { message: "News", throttle })).toEqual(range);
    }
    await engine.deps.db.updateTable("telegram_sessions").set({ state: "lost" }).where("user_id", "=", seller.id).execute();
    expect((await post(seller, { message: "News" })).json<{ code: string }>().code).toBe("not_connected");
  });
});

describe("cancelling a bulk message", () => {
  it("stops it: nothing starts after the answer, the one under way is counted, and the job is gone", async () => {
    const { seller, leads } = await sellerWithLeads(30);
    const telegram = createFakeTelegram(engine.clock, { answerAfterMs: 40 });
    await engine.startSending(seller, telegram);
    const id = await started(seller);
    await vi.waitFor(() => expect(telegram.calls.length).toBeGreaterThan(3), { interval: 5 });
    expect((await remove(seller, id)).statusCode).toBe(200);
    const callsAtAnswer = telegram.calls.length;
    const gone = await engine.app.inject({ method: "GET", url: `/api/bulk/${id}`, headers: as(seller) });
    expect(gone.statusCode).toBe(404);
    const states = await engine.deps.db
      .selectFrom("outbox")
      .select(["state", (eb) => eb.fn.countAll<string>().as("count")])
      .where("job_id", "=", id)
      .groupBy("state")
      .execute();
    const counts = Object.fromEntries(states.map(({ state, count }) => [state, Number(count)]));
    expect(counts).toEqual({ sent: telegram.delivered.length, cancelled: leads.length - telegram.delivered.length });
    const second = await started(seller);
    await finished(seller, second);
    expect(telegram.calls).toHaveLength(callsAtAnswer + leads.length);
  });

  it("hides a finished job, and is refused for somebody else's", async () => {
    const { seller, telegram } = await sellerWithLeads(1);
    const stranger = await engine.newSeller();
    await engine.startSending(seller, telegram);
    const id = await started(seller);
    await finished(seller, id);
    expect((await remove(stranger, id)).statusCode).toBe(404);
    expect((await remove(seller, id)).statusCode).toBe(200);
    expect((await remove(seller, id)).statusCode).toBe(404);
  });
});

describe("when Telegram slows a bulk message down", () => {
  it("waits out a flood limit as told, fails nobody for it, and goes on by itself", async () => {
    const { seller, leads, telegram } = await sellerWithLeads(3);
    telegram.fail(refusal("FLOOD_WAIT_3600", 420));
    await engine.startSending(seller, telegram);
    const id = await started(seller);
    const paused = await vi.waitFor(async () => {
      const job = await read(seller, id);
      expect(job.paused_until).not.toBeNull();
      return job;
    });
    expect(paused).toMatchObject({
      status: "in_progress",
      failed_count: 0,
      paused_reason: "Telegram asked this account to wait. Sending goes on by itself.",
    });
    await engine.advance(3_590);
    await engine.startSending(seller, telegram);
    expect(telegram.calls).toHaveLength(1);
    await engine.advance(11);
    expect(await finished(seller, id)).toMatchObject({ status: "completed", sent_count: leads.length, failed_count: 0 });
  });

  it("stops every automated send at the spam limit, with words for the seller; by hand still works", async () => {
    const { seller, leads, telegram } = await sellerWithLeads(5);
    telegram.fail(refusal("PEER_FLOOD"), { to: leads[2]!.telegramUserId });
    await engine.startSending(seller, telegram);
    const id = await started(seller);
    const job = await finished(seller, id);
    expect(job).toMatchObject({ status: "failed", error: STOPPED_WORDS, total_targets: 5 });
    expect(job.sent_count + job.failed_count).toBe(5);
    expect(telegram.calls.at(-1)?.to).toBe(leads[2]!.telegramUserId);
    const refused = await post(seller, { message: "Again" });
    expect(refused.statusCode).toBe(409);
    expect(refused.json<{ code: string }>().code).toBe("account_limited");
    await newStep(engine, seller, { message: "By hand", order: 0 });
    const byHand = await engine.app.inject({
      method: "POST",
      url: `/api/followups/send/${leads[4]!.id}`,
      headers: as(seller),
    });
    expect(byHand.statusCode).toBe(200);
    expect(telegram.delivered.at(-1)?.text).toBe("By hand");
  });

  it("fails the job at the first hit when the message itself is refused, and burns nobody else", async () => {
    const { seller, telegram } = await sellerWithLeads(4);
    telegram.fail(refusal("PHOTO_INVALID_DIMENSIONS"));
    await engine.startSending(seller, telegram);
    expect(await finished(seller, await started(seller))).toMatchObject({
      status: "failed",
      error: "Telegram does not accept the picture's dimensions. Choose another picture.",
      sent_count: 0,
      failed_count: 4,
    });
    expect(telegram.calls).toHaveLength(1);
  });

  it("rests while the account is disconnected and goes on after the next login, counting nobody", async () => {
    const { seller, leads, telegram } = await sellerWithLeads(3);
    telegram.fail(refusal("AUTH_KEY_UNREGISTERED", 401));
    const sender = await engine.startSending(seller, telegram);
    const id = await started(seller);
    await vi.waitFor(() => expect(telegram.calls).toHaveLength(1));
    const setState = (state: "lost" | "connected") =>
      engine.deps.db.updateTable("telegram_sessions").set({ state }).where("id", "=", seller.accountId).execute();
    await setState("lost");
    await sender.stop();
    expect(await read(seller, id)).toMatchObject({
      status: "in_progress",
      failed_count: 0,
      paused_reason: "Telegram is disconnected. Connect it again and sending goes on.",
    });
    await setState("connected");
    await engine.startSending(seller, telegram);
    expect(await finished(seller, id)).toMatchObject({ status: "completed", sent_count: leads.length, failed_count: 0 });
  });

  it("keeps to the daily limit for people not talked to lately, and goes on the next day", async () => {
    const seller = await engine.newSeller({ dailyCap: 2 });
    const telegram = createFakeTelegram(engine.clock);
    const longAgo = engine.clock.now() - 40 * DAY_MS;
    for (let index = 0; index < 4; index += 1) await newLead(engine, seller, { enteredAt: longAgo });
    const warm = await newLead(engine, seller);
    await engine.startSending(seller, telegram);
    const id = await started(seller);
    const paused = await vi.waitFor(async () => {
      const job = await read(seller, id);
      expect(job.paused_until).not.toBeNull();
      return job;
    });
    expect(paused).toMatchObject({
      sent_count: 3,
      paused_reason: "The daily limit for people you have not talked to lately is reached. Sending goes on tomorrow.",
    });
    expect(telegram.delivered[0]?.to).toBe(warm.telegramUserId);
    await engine.advance(DAY_MS / 1000);
    expect(await finished(seller, id)).toMatchObject({ status: "completed", sent_count: 5 });
  });

  it("stops when the subscription ends and goes on when it is renewed", async () => {
    const { seller, telegram } = await sellerWithLeads(2);
    const setStatus = (status: string) =>
      engine.deps.db.updateTable("subscriptions").set({ status }).where("user_id", "=", seller.id).execute();
    await setStatus("canceled");
    const id = await started(seller);
    await engine.startSending(seller, telegram);
    expect((await read(seller, id)).paused_reason).toBe("The subscription has ended. Renew it and sending goes on.");
    await engine.advance(60);
    expect(telegram.calls).toHaveLength(0);
    await setStatus("active");
    await engine.advance(1);
    expect(await finished(seller, id)).toMatchObject({ status: "completed", sent_count: 2 });
  });
});

const addStage = (seller: Seller) =>
  engine.deps.db
    .insertInto("stages")
    .values({ owner_id: seller.id, name: "Other", order: 2 })
    .returning("id")
    .executeTakeFirstOrThrow();
