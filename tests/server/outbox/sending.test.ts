import { describe, expect, it, onTestFinished } from "vitest";
import { newLead, newStep, ownEngine, type Seller } from "../../support/engine.ts";
import { type FakeTelegram, lostAnswer, refusal } from "../../support/fake-telegram.ts";
import { changeRows, onWrites, rowOf, rowsOf } from "../../support/rows.ts";

const engine = await ownEngine();

const click = async (seller: Seller, leadId: string, known: Record<string, string> = {}) => {
  const headers = { authorization: `Bearer ${seller.id}`, ...known };
  const answer = await engine.app.inject({ method: "POST", url: `/api/followups/send/${leadId}`, headers });
  return { status: answer.statusCode, body: answer.json<object>(), headers: answer.headers };
};
const send = (seller: Seller, leadId: string, headers?: Record<string, string>) =>
  engine.clock.passWhile(click(seller, leadId, headers));
const leadRow = (id: string) => rowOf(engine.deps.db, "leads", { id });

/** Creates a seller with two steps, a lead, and a sender for the account. */
async function sellerWithLead(telegram: FakeTelegram = engine.fakeTelegram()) {
  const seller = await engine.newSeller();
  await newStep(engine, seller, { message: "First step", order: 0 });
  await newStep(engine, seller, { message: "Second step", order: 1 });
  const lead = await newLead(engine, seller);
  const running = await engine.startSending(seller, telegram);
  return { seller, lead, telegram, running };
}

describe("sending a follow-up by hand", () => {
  it("returns 200 once Telegram has the message, and records it", async () => {
    const { seller, lead, telegram } = await sellerWithLead();
    expect((await send(seller, lead.id)).status).toBe(200);
    expect(telegram.delivered).toMatchObject([{ to: lead.telegramUserId, text: "First step" }]);
    const { last_message_at: at, ...row } = await leadRow(lead.id);
    const times = { last_followup_sent_at: at, last_outbound_at: at, last_manual_at: at };
    expect(row).toMatchObject({ ...times, followup_order_sent: 1 });
    const sent = { account_user_id: seller.telegramUserId, peer_user_id: lead.telegramUserId, text: "First step" };
    const messages = await rowsOf(engine.deps.db, "messages", { owner_id: seller.id });
    expect(messages).toMatchObject([{ ...sent, is_outgoing: true }]);
  });

  it("sends one message for ten clicks at once and for a click right afterwards", async () => {
    const { seller, lead, telegram } = await sellerWithLead();
    const clicks = await engine.clock.passWhile(Promise.all(Array.from({ length: 10 }, () => click(seller, lead.id))));
    expect(clicks.map((click) => click.status)).toEqual(Array(10).fill(200));
    expect((await send(seller, lead.id)).status).toBe(200);
    expect(telegram.delivered).toHaveLength(1);
  });

  it("sends the next step ten seconds later, and returns 409 when none is left", async () => {
    const { seller, lead, telegram } = await sellerWithLead();
    await send(seller, lead.id);
    await engine.advance(11);
    await send(seller, lead.id);
    await engine.advance(11);
    const third = await send(seller, lead.id);
    expect([third.status, third.body]).toMatchObject([409, { code: "no_step_left" }]);
    expect(telegram.texts()).toEqual(["First step", "Second step"]);
  });

  it("delivers once under one random id when the response is lost", async () => {
    const { seller, lead, telegram } = await sellerWithLead();
    telegram.fail(lostAnswer(), { afterDelivery: true });
    telegram.fail(refusal("TIMEOUT"), { afterDelivery: true });
    expect((await send(seller, lead.id)).status).toBe(200);
    expect(telegram.delivered).toHaveLength(1);
    expect(new Set(telegram.calls.map((call) => call.randomId)).size).toBe(1);
    expect(telegram.calls).toHaveLength(3);
  });

  it("returns 422 when the lead has blocked the user, and marks the lead", async () => {
    const { seller, lead, telegram } = await sellerWithLead();
    telegram.fail(refusal("USER_IS_BLOCKED"));
    const answer = await send(seller, lead.id);
    const message = "Not sent: this person blocked you.";
    const body = { code: "unreachable", message, params: { reason: "USER_IS_BLOCKED" } };
    expect([answer.status, answer.body]).toEqual([422, body]);
    expect(await leadRow(lead.id)).toMatchObject({ unreachable_reason: "USER_IS_BLOCKED", followup_order_sent: 0 });
  });

  it("returns 429 with the wait on a flood limit, and queues nothing", async () => {
    const { seller, lead, telegram } = await sellerWithLead();
    telegram.fail(refusal("FLOOD_WAIT_90", 420));
    const first = await send(seller, lead.id);
    expect(first.status).toBe(429);
    expect(Number(first.headers["retry-after"])).toBeGreaterThan(80);
    await engine.advance(11);
    expect((await send(seller, lead.id)).status).toBe(429);
    await engine.advance(90);
    expect(telegram.calls).toHaveLength(1);
    expect((await send(seller, lead.id)).status).toBe(200);
    expect(telegram.delivered).toHaveLength(1);
  });

  it.each([
    ["a flood limit", refusal("FLOOD_WAIT_90", 420), 429, "FLOOD_WAIT_90"],
    ["a peer that was not found in time", refusal("ADDRESS_LATE", 503), 503, "ADDRESS_LATE"],
  ])("sends when the same idempotency key is repeated after %s", async (_what, failure, status, reason) => {
    const { seller, lead, telegram } = await sellerWithLead();
    const key = { "idempotency-key": "click-1" };
    telegram.fail(failure);
    const first = await send(seller, lead.id, key);
    expect(first.status).toBe(status);
    const rows = () => rowsOf(engine.deps.db, "outbox", { lead_id: lead.id }, ["state", "is_uncertain", "reason"]);
    expect(await rows()).toEqual([{ state: "cancelled", is_uncertain: false, reason }]);
    expect(telegram.delivered).toEqual([]);
    await engine.advance(Number(first.headers["retry-after"]) + 1);
    expect((await send(seller, lead.id, key)).status).toBe(200);
    await engine.advance(11);
    expect((await send(seller, lead.id, key)).status).toBe(200);
    expect(telegram.texts()).toEqual(["First step"]);
    expect((await rows()).map(({ state }) => state).toSorted()).toEqual(["cancelled", "sent"]);
  });

  it("repeats the request when its idempotency key is freed at the same moment", async () => {
    const { seller, lead, telegram } = await sellerWithLead();
    const key = { "idempotency-key": "click-1" };
    expect((await send(seller, lead.id, key)).status).toBe(200);
    // Frees the key once, between the insert that finds it taken and the read of its response.
    const statements = "if nextval('public.writes') = 1 then delete from public.request_keys; end if;";
    onTestFinished(await onWrites(engine.deps.db, "after insert on request_keys", statements));
    expect((await send(seller, lead.id, key)).status).toBe(200);
    expect(telegram.texts()).toEqual(["First step"]);
  });

  it("returns 409 when no account is connected", async () => {
    const { seller, lead } = await sellerWithLead();
    await changeRows(engine.deps.db, "telegram_sessions", { id: seller.accountId }, { state: "disconnected" });
    const answer = await send(seller, lead.id);
    expect([answer.status, answer.body]).toMatchObject([409, { code: "not_connected" }]);
  });
});

describe("a takeover of an account", () => {
  it("retries the message that a dead worker was sending, and delivers it once", async () => {
    const telegram = engine.fakeTelegram();
    const { seller, lead, running } = await sellerWithLead(telegram);
    await running.stop();
    const clicked = click(seller, lead.id);
    await engine.idle();
    // A worker that died had claimed the row, and Telegram had delivered the message.
    const taken = { state: "sending", attempts: 1, account_user_id: seller.telegramUserId } as const;
    await changeRows(engine.deps.db, "outbox", { owner_id: seller.id }, taken);
    const { random_id: randomId } = await rowOf(engine.deps.db, "outbox", { owner_id: seller.id });
    const { telegramUserId } = lead;
    await telegram.port.sendText({ to: { telegramUserId }, text: "First step", randomId: BigInt(randomId) });
    await engine.startSending(seller, telegram);
    expect((await engine.clock.passWhile(clicked)).status).toBe(200);
    expect(telegram.calls).toHaveLength(2);
    expect(telegram.delivered).toHaveLength(1);
  });

  it("gives a worker with an old fence nothing to send", async () => {
    const { seller, lead, telegram } = await sellerWithLead();
    const other = await engine.telegramOf(seller);
    expect((await send(seller, lead.id)).status).toBe(200);
    expect({ old: telegram.calls.length, present: other.calls.length }).toEqual({ old: 0, present: 1 });
  });
});
