import { afterAll, describe, expect, it, test } from "vitest";
import type { Reminder } from "../../../domain/reminder.ts";
import type { Bus } from "../../../server/core/bus.ts";
import type { Running } from "../../../server/core/deps.ts";
import { eraseExcluded } from "../../../server/exclusions/erase.ts";
import { excludeLeads } from "../../../server/exclusions/exclude.ts";
import { foldSettled } from "../../../server/outbox/fold.ts";
import { planReminders } from "../../../server/reminders/plan.ts";
import { startReminderChecks } from "../../../server/reminders/verify.ts";
import { eraseDeletedReminders } from "../../../server/reminders/repository.ts";
import {
  createFakeTelegram,
  newLead,
  type FakeTelegram,
  type Seller,
  type SellerOptions,
} from "../../support/engine.ts";
import { refusal } from "../../support/fake-telegram.ts";
import { ownEngine } from "../../support/servers.ts";
import { readForecast } from "../../../server/forecast/forecast.ts";
import { readLedger } from "../../../server/ledger/page.ts";
import { returnAutomation } from "../../../server/settings/index.ts";
import { undoMove } from "../../../server/leads/stage-move.ts";
import { addRow, changeRows, rowsOf } from "../../support/rows.ts";

const HOUR = 3_600;
const DAY = 24 * HOUR;
const engine = await ownEngine();
const checks: Running[] = [];
afterAll(() => Promise.all(checks.map((check) => check.stop())));

const call = (seller: Seller, method: "GET" | "POST" | "DELETE" | "PATCH", url: string, payload?: object) =>
  engine.call(seller, method, `/api/reminders${url}`, payload);

const RULE = { stage: "initial contact", delay_days: 2, channel_id: "@team", template: "{name} is stuck" };
const post = (seller: Seller, body: object = {}) => call(seller, "POST", "", { type: "stuck", ...RULE, ...body });
const list = async (seller: Seller) => (await call(seller, "GET", "")).json<Reminder[]>();

const toggle = (seller: Seller, id: string, isEnabled: boolean) =>
  call(seller, "PATCH", `/${id}`, { is_enabled: isEnabled });

const setConnected = (seller: Seller, state: "connected" | "disconnected") =>
  engine.deps.db.updateTable("telegram_sessions").set({ state }).where("id", "=", seller.accountId).execute();

async function sellerWithChannel() {
  const seller = await engine.newSeller();
  const telegram = createFakeTelegram(engine.clock);
  telegram.channels.set("@team", { ok: true, title: "Team" });
  await engine.startSending(seller, telegram);
  await checking(seller, telegram);
  return { seller, telegram };
}

async function checking(seller: Seller, telegram: FakeTelegram, bus: Bus = engine.deps.bus) {
  const { signal } = new AbortController();
  const { id: userId, accountId, telegramUserId } = seller;
  checks.push(
    startReminderChecks(
      { ...engine.deps, bus },
      { accountId, userId, telegramUserId, fence: 1n, port: telegram.port, signal },
    ),
  );
}

const disconnected = async () => {
  const seller = await engine.newSeller();
  await setConnected(seller, "disconnected");
  return seller;
};
describe("reminder rules", () => {
  it("are saved for a stage by its name in any case, and follow its rename", async () => {
    const { seller } = await sellerWithChannel();
    const answer = await post(seller);
    expect(answer.statusCode).toBe(200);
    const saved = answer.json<Reminder>();
    expect(saved).toEqual({
      id: saved.id,
      type: "stuck",
      stage: "Initial Contact",
      delay_days: 2,
      channel_id: "@team",
      template: "{name} is stuck",
      is_enabled: true,
      disabled_reason: null,
    });
    await engine.deps.db.updateTable("stages").set({ name: "First words" }).where("id", "=", seller.stageId).execute();
    expect((await list(seller)).map(({ stage }) => stage)).toEqual(["First words"]);
  });

  it("stay when their call is repeated after the channel was lost", async () => {
    const { seller } = await sellerWithChannel();
    const add = () =>
      engine.call(seller, "POST", "/api/reminders", { type: "stuck", ...RULE }, { "idempotency-key": "rule-1" });
    const { id } = (await add()).json<Reminder>();
    const lost = { verified_at: null, is_enabled: false, disabled_reason: "There is no such channel." };
    await changeRows(engine.deps.db, "reminders", { id }, lost);
    const repeated = await add();
    expect([repeated.statusCode, repeated.json<Reminder>()]).toMatchObject([200, { id, is_enabled: false }]);
    expect((await list(seller)).map((rule) => rule.id)).toEqual([id]);
  });

  it("are refused for an unknown stage, an unknown placeholder, and a channel that cannot be posted to", async () => {
    const { seller } = await sellerWithChannel();
    const answers = [
      await post(seller, { stage: "Nowhere" }),
      await post(seller, { template: "{phone}" }),
      await post(seller, { channel_id: "team" }),
      await post(seller, { channel_id: "@elsewhere" }),
    ];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([422, 422, 422, 422]);
    expect(answers[3]?.json()).toMatchObject({
      code: "channel_refused",
      message: "Leadloom cannot post to @elsewhere: There is no such channel.",
    });
    expect(await list(seller)).toEqual([]);
  });

  it("made while no account is connected are kept, and checked at the next connection", async () => {
    const seller = await disconnected();
    expect((await post(seller, { channel_id: "@elsewhere" })).statusCode).toBe(200);
    expect((await list(seller))[0]).toMatchObject({ is_enabled: true, disabled_reason: null });
    await setConnected(seller, "connected");
    await checking(seller, createFakeTelegram(engine.clock));
    await engine.idle();
    expect((await list(seller))[0]).toMatchObject({ is_enabled: false, disabled_reason: "There is no such channel." });
  });
});

describe("a rule's channel", () => {
  const afterSaving = async (error: Error, bus?: Bus) => {
    const seller = await disconnected();
    await post(seller);
    await setConnected(seller, "connected");
    const telegram = createFakeTelegram(engine.clock);
    telegram.channels.set("@team", { ok: true, title: "Team" });
    let asked = 0;
    const { checkChannel } = telegram.port;
    telegram.port.checkChannel = async (channel) => {
      asked += 1;
      if (asked === 1) throw error;
      return checkChannel(channel);
    };
    await checking(seller, telegram, bus);
    await engine.idle();
    expect(asked).toBe(1);
    return { seller, asked: () => asked };
  };
  it.each([
    ["a flood wait", refusal("FLOOD_WAIT_600", 420)],
    ["no answer", refusal("TIMEOUT")],
    ["a lost session", refusal("AUTH_KEY_UNREGISTERED", 401)],
    ["an error of Telegram's own", refusal("INTERNAL", 500)],
  ])("that could not be asked for because of %s leaves the rule on, and is asked for again", async (_name, error) => {
    const { seller, asked } = await afterSaving(error);
    expect(await list(seller)).toMatchObject([{ is_enabled: true, disabled_reason: null }]);
    await engine.clock.passUntil(() => asked() > 1 || null);
    const [rule] = await rowsOf(engine.deps.db, "reminders", { owner_id: seller.id }, ["verified_at"]);
    expect(rule?.verified_at).not.toBeNull();
  });

  it("that another account cannot post to works again with the account that can", async () => {
    const { seller } = await sellerWithChannel();
    const { id } = (await post(seller)).json<Reminder>();
    for (const check of checks.splice(0)) await check.stop();
    await engine.deps.db.updateTable("reminders").set({ verified_at: null }).where("id", "=", id).execute();
    await checking({ ...seller, telegramUserId: "77" }, createFakeTelegram(engine.clock));
    await engine.idle();
    expect(await list(seller)).toMatchObject([{ is_enabled: false }]);
    const able = createFakeTelegram(engine.clock);
    able.channels.set("@team", { ok: true, title: "Team" });
    await checking(seller, able);
    await engine.idle();
    expect(await list(seller)).toMatchObject([{ is_enabled: true, disabled_reason: null }]);
  });

  it("is refused as a number that no channel or group can have", async () => {
    const seller = await disconnected();
    const answers = await Promise.all(
      ["123", "12345678901234567890", "0", "-0", "-1000000000000", "-1997852516353", "-99999999999999"].map(
        async (channel_id) => (await post(seller, { channel_id })).statusCode,
      ),
    );
    expect(answers).toEqual([422, 422, 422, 422, 422, 422, 422]);
    expect((await post(seller, { channel_id: "-1001234567890" })).statusCode).toBe(200);
    expect((await post(seller, { channel_id: "-4123456" })).statusCode).toBe(200);
  });
});

describe("a reminder", () => {
  it("tells the channel of a stuck lead once per stage entry", async () => {
    const { seller, telegram } = await sellerWithChannel();
    await post(seller, { template: "{name} in {stage} for {days} days: {link}" });
    const lead = await newLead(engine, seller, { name: "Ann", enteredAt: engine.clock.now() });
    await engine.advance(2 * DAY - 60);
    expect(await planReminders(engine.deps)).toBe(0);
    await engine.advance(61);
    expect(await planReminders(engine.deps)).toBe(1);
    await telegram.got(engine, 1);
    expect(telegram.delivered[0]).toMatchObject({
      to: "@team",
      text: `Ann in Initial Contact for 2 days: tg://user?id=${lead.telegramUserId}`,
    });
    await engine.advance(5 * DAY);
    expect(await planReminders(engine.deps)).toBe(0);
    await changeRows(
      engine.deps.db,
      "leads",
      { id: lead.id },
      { stage_entry_epoch: 2, stage_entered_at: engine.clock.iso() },
    );
    await engine.advance(2 * DAY + 1);
    expect(await planReminders(engine.deps)).toBe(1);
    await telegram.got(engine, 2);
  });

  it("writes reminders and digests in the language of their owner's settings", async () => {
    const seller = await disconnected();
    await post(seller, { template: "{name}" });
    await changeRows(engine.deps.db, "user_settings", { user_id: seller.id }, { language: "ru" });
    await newLead(engine, seller, { name: " " });
    await engine.advance(2 * DAY + 1);
    await planReminders(engine.deps);
    for (let index = 0; index < 6; index += 1)
      await newLead(engine, seller, { name: `Lead ${index}`, enteredAt: engine.clock.now() - 2 * DAY * 1000 });
    await planReminders(engine.deps);
    const sent = await rowsOf(engine.deps.db, "outbox", { owner_id: seller.id }, ["body"]);
    expect(new Set(sent.map(({ body }) => body?.split("\n")[0]))).toEqual(
      new Set(["Без имени", "⏰ Лиды, застрявшие на этапе Initial Contact: 6"]),
    );
    expect(sent.map(({ body }) => body).join("\n")).toContain("• Lead 0 (2 дня) ");
  });

  it("names nobody in a digest who was excluded since, and keeps nobody's name who is erased", async () => {
    const seller = await disconnected();
    await post(seller);
    const leads: { id: string }[] = [];
    for (let index = 0; index < 6; index += 1)
      leads.push(await newLead(engine, seller, { name: `Lead ${index}`, enteredAt: engine.clock.now() + index }));
    await engine.advance(2 * DAY + 1);
    expect(await planReminders(engine.deps)).toBe(1);
    const exclude = (lead: { id: string } | undefined, undoUntil: string) =>
      engine.deps.db.transaction().execute((tx) =>
        excludeLeads(tx, {
          ownerId: seller.id,
          leadIds: [lead?.id ?? ""],
          at: engine.clock.iso(),
          undoUntil,
          batchId: null,
        }),
      );
    await exclude(leads[1], new Date(engine.clock.now() + 30_000).toISOString());
    await setConnected(seller, "connected");
    const telegram = await engine.telegramOf(seller);
    await telegram.got(engine, 1);
    const lines = telegram.delivered[0]?.text.split("\n") ?? [];
    expect(lines[0]).toContain("⏰ Leads stuck in stage Initial Contact: 5");
    const named = lines.slice(1).map((line) => /Lead \d/.exec(line)?.[0]);
    expect(named).toEqual(["Lead 0", "Lead 2", "Lead 3", "Lead 4", "Lead 5"]);
    await engine.idle();
    await exclude(leads[3], engine.clock.iso());
    await eraseExcluded(engine.deps);
    const [digest] = await rowsOf(engine.deps.db, "outbox", { owner_id: seller.id }, ["body"]);
    expect(digest?.body?.match(/Lead \d/g)).toEqual(["Lead 0", "Lead 2", "Lead 4", "Lead 5"]);
    await foldSettled(engine.deps, -1);
    await exclude(leads[0], engine.clock.iso());
    await eraseExcluded(engine.deps);
    const folded = await rowsOf(engine.deps.db, "ledger", { owner_id: seller.id }, ["excerpt"]);
    expect(folded).toEqual([{ excerpt: lines[0]?.replace(": 5", ": 4") }]);
  });

  it("is not sent for a lead who moved on, nor outside the allowed hours", async () => {
    const seller = await disconnected();
    await post(seller);
    const now = engine.clock.now();
    const hour = new Date(now + 2 * DAY * 1000).getUTCHours();
    await changeRows(
      engine.deps.db,
      "user_settings",
      { user_id: seller.id },
      { auto_followup_start_hour: (hour + 2) % 24, auto_followup_end_hour: (hour + 4) % 24 },
    );
    const [stays, moves] = [
      await newLead(engine, seller, { enteredAt: now }),
      await newLead(engine, seller, { enteredAt: now }),
    ];
    await engine.advance(2 * DAY + 1);
    expect(await planReminders(engine.deps)).toBe(2);
    await engine.deps.db.updateTable("leads").set({ stage_entry_epoch: 2 }).where("id", "=", moves.id).execute();
    await changeRows(engine.deps.db, "telegram_sessions", { id: seller.accountId }, { state: "connected" });
    const telegram = await engine.telegramOf(seller);
    await engine.advance(60);
    expect(telegram.calls).toEqual([]);
    await engine.advance(2 * 3_600 + 1_860);
    await telegram.got(engine, 1);
    await engine.idle();
    const rows = await rowsOf(engine.deps.db, "outbox", { owner_id: seller.id }, ["lead_id", "state"]);
    expect(new Map(rows.map(({ lead_id: id, state }) => [id, state]))).toEqual(
      new Map([
        [stays.id, "sent"],
        [moves.id, "cancelled"],
      ]),
    );
  });

  it("rests with a reason when its channel is lost or its stage deleted", async () => {
    const { seller, telegram } = await sellerWithChannel();
    const { id } = (await post(seller)).json<Reminder>();
    await newLead(engine, seller, { enteredAt: engine.clock.now() });
    telegram.fail(refusal("CHANNEL_PRIVATE"));
    await engine.advance(2 * DAY + 1);
    await planReminders(engine.deps);
    await engine.idle();
    expect((await list(seller))[0]).toMatchObject({
      is_enabled: false,
      disabled_reason: "The channel cannot be reached on Telegram.",
    });
    await toggle(seller, id, true);
    await engine.deps.db.updateTable("reminders").set({ stage_id: null }).where("id", "=", id).execute();
    await planReminders(engine.deps);
    expect((await list(seller))[0]).toMatchObject({ is_enabled: false, disabled_reason: "Its stage was deleted." });
  });
});

const EXPIRED = "Expired: it could not be sent within 24 hours of being due.";

const setAccess = (seller: Seller, status: "active" | "canceled") =>
  engine.deps.db.updateTable("subscriptions").set({ status }).where("user_id", "=", seller.id).execute();

const comeBack = (seller: Seller) => returnAutomation(engine.deps.db, seller.id, engine.clock.iso());

/** A seller with a rule for leads that are two days in a stage; no account is connected yet. */
async function sellerWithRule(options?: SellerOptions) {
  const seller = await engine.newSeller(options);
  await setConnected(seller, "disconnected");
  const { id } = (await post(seller, { template: "{name}: {days} days" })).json<Reminder>();
  return { seller, id };
}

async function connect(seller: Seller) {
  await setConnected(seller, "connected");
  await comeBack(seller);
  const telegram = await engine.telegramOf(seller);
  return telegram;
}

const stuckAt = (seller: Seller, at: number, name: string) =>
  newLead(engine, seller, { name, enteredAt: at - 2 * DAY * 1000 });

const linesOf = async (seller: Seller) => {
  const { items } = await readLedger(engine.deps, seller.id, { limit: 50 });
  const lines = items.map(({ lead, state, words }) => [lead?.name ?? null, state, words]);
  return lines.toSorted(([a], [b]) => String(a).localeCompare(String(b)));
};

const texts = (telegram: FakeTelegram) => telegram.texts().toSorted();

describe("a reminder that cannot be sent", () => {
  test("goes out within 24 hours of being due, and expires after that", async () => {
    const { seller } = await sellerWithRule();
    const start = engine.clock.now();
    await stuckAt(seller, start + HOUR * 1000, "Ann");
    await stuckAt(seller, start + 3 * HOUR * 1000, "Bea");
    await engine.advance(4 * HOUR);
    expect(await planReminders(engine.deps)).toBe(2);
    await engine.advance(22 * HOUR);
    await planReminders(engine.deps);
    expect(await linesOf(seller)).toEqual([
      ["Ann", "cancelled", EXPIRED],
      ["Bea", "pending", "Waits until Telegram is connected again."],
    ]);
    const telegram = await connect(seller);
    await engine.idle();
    expect(texts(telegram)).toEqual(["Bea: 2 days"]);
  });

  test("is asked for again after its time when it may have been delivered", async () => {
    const { seller } = await sellerWithRule();
    await stuckAt(seller, engine.clock.now(), "Ann");
    await planReminders(engine.deps);
    const uncertain = { is_uncertain: true, attempts: 1, account_user_id: seller.telegramUserId };
    await engine.deps.db.updateTable("outbox").set(uncertain).where("owner_id", "=", seller.id).execute();
    await engine.advance(25 * HOUR);
    await planReminders(engine.deps);
    const telegram = await connect(seller);
    await engine.allSent(seller);
    expect(texts(telegram)).toEqual(["Ann: 2 days"]);
  });
});

describe("after a break in access, with many leads", () => {
  test("one digest tells of those whose reminder expired, and another one of the rest", async () => {
    const { seller } = await sellerWithRule();
    const telegram = await connect(seller);
    await setAccess(seller, "canceled");
    const start = engine.clock.now();
    for (let n = 0; n < 6; n++) {
      await stuckAt(seller, start + DAY * 1000, `Ann ${n}`);
      await stuckAt(seller, start + 4 * DAY * 1000, `Bea ${n}`);
    }
    await engine.advance(4 * DAY + 2 * HOUR);
    await setAccess(seller, "active");
    await comeBack(seller);
    expect(await planReminders(engine.deps)).toBe(2);
    await engine.idle();
    expect(texts(telegram)).toEqual([expect.stringContaining("Bea 5")]);
    const states = (await linesOf(seller)).map(([, state]) => String(state));
    expect(states.toSorted((one, other) => one.localeCompare(other))).toEqual(["cancelled", "sent"]);
  });
});

describe("a reminder that Leadloom itself is late with", () => {
  test("tells of leads who were stuck before the rule, or while it was switched off", async () => {
    const { seller, id } = await sellerWithRule();
    await stuckAt(seller, engine.clock.now() - 9 * DAY * 1000, "Ann");
    expect(await planReminders(engine.deps)).toBe(1);
    const off = await call(seller, "PATCH", `/${id}`, { is_enabled: false });
    await stuckAt(seller, engine.clock.now() + DAY * 1000, "Bea");
    await engine.advance(5 * DAY);
    expect([off.statusCode, await planReminders(engine.deps)]).toEqual([200, 0]);
    await call(seller, "PATCH", `/${id}`, { is_enabled: true });
    expect(await planReminders(engine.deps)).toBe(1);
    const telegram = await connect(seller);
    await engine.allSent(seller);
    expect(texts(telegram)).toEqual(["Bea: 6 days"]);
  });
});

test("the forecast leaves out reminders that expire before the account may send", async () => {
  const { seller } = await sellerWithRule();
  await connect(seller);
  const now = engine.clock.now();
  await stuckAt(seller, now + HOUR * 1000, "Ann");
  await stuckAt(seller, now + 20 * HOUR * 1000, "Bea");
  const namesUntil = async (pausedUntil: number) => {
    const paused = { paused_until: new Date(pausedUntil).toISOString() };
    await engine.deps.db.updateTable("telegram_sessions").set(paused).where("id", "=", seller.accountId).execute();
    const { items } = await readForecast(engine.deps, seller.id, 72);
    return items.map(({ lead }) => lead?.name);
  };
  expect(await namesUntil(now + 24 * HOUR * 1000)).toEqual(["Ann", "Bea"]);
  expect(await namesUntil(now + 26 * HOUR * 1000)).toEqual(["Bea"]);
});

test("the forecast has a reminder of the last minute of the allowed hours leave at the next opening", async () => {
  const { seller } = await sellerWithRule();
  await connect(seller);
  const hourMs = HOUR * 1000;
  const closing = Math.ceil(engine.clock.now() / hourMs) * hourMs + hourMs;
  const hour = new Date(closing).getUTCHours();
  const hours = { auto_followup_start_hour: (hour + 1) % 24, auto_followup_end_hour: hour };
  await engine.deps.db.updateTable("user_settings").set(hours).where("user_id", "=", seller.id).execute();
  await stuckAt(seller, closing - 5_500, "Ann");
  const { items } = await readForecast(engine.deps, seller.id, 48);
  expect(items.map(({ at }) => Date.parse(at) >= closing + hourMs)).toEqual([true]);
});

const remove = (seller: Seller, id: string) => call(seller, "DELETE", `/${id}`);
const restore = (seller: Seller, id: string) => call(seller, "POST", `/${id}/restore`);

const rowOf = (id: string) =>
  engine.deps.db.selectFrom("reminders").selectAll().where("id", "=", id).executeTakeFirst();

test("a deleted rule leaves the list at once and comes back to the last field", async () => {
  const { seller, id } = await sellerWithRule();
  const [row, [shown]] = [await rowOf(id), await list(seller)];
  expect((await remove(seller, id)).statusCode).toBe(200);
  expect(await list(seller)).toEqual([]);
  expect((await remove(seller, id)).statusCode).toBe(404);
  expect((await call(seller, "PATCH", `/${id}`, { is_enabled: false })).statusCode).toBe(404);

  const answer = await restore(seller, id);
  expect([answer.statusCode, answer.json()]).toEqual([200, shown]);
  expect(await rowOf(id)).toEqual(row);
  expect((await restore(seller, id)).json()).toEqual(shown);
});

test("a minute after its deletion a rule is erased: what waited is cancelled, the record of what was sent stays", async () => {
  const { seller, id } = await sellerWithRule();
  const leads = [1, 2, 3].map(() => newLead(engine, seller, { enteredAt: engine.clock.now() - 3 * DAY * 1000 }));
  const [sent, sending, waiting] = await Promise.all(leads);
  await planReminders(engine.deps);
  const settled = { state: "sent" as const, message_id: 7, settled_at: engine.clock.iso() };
  await changeRows(engine.deps.db, "outbox", { lead_id: sent?.id ?? "" }, settled);
  const started = { state: "sending" as const, account_user_id: seller.telegramUserId };
  const underWay = engine.deps.db.updateTable("outbox").set(started);
  await underWay.where("lead_id", "=", sending?.id ?? "").execute();
  await remove(seller, id);
  await engine.advance(59);
  await eraseDeletedReminders(engine.deps);
  expect(await rowOf(id)).toMatchObject({ id });
  await engine.advance(2);
  const late = await restore(seller, id);
  const none = await restore(seller, "00000000-0000-4000-8000-000000000000");
  expect([late.statusCode, late.body]).toEqual([404, none.body]);
  await eraseDeletedReminders(engine.deps);
  expect(await rowOf(id)).toBeUndefined();
  const { items } = await readLedger(engine.deps, seller.id, { limit: 10 });
  expect(items.map(({ lead, state, reason, message_id }) => [lead?.id, state, reason, message_id])).toEqual(
    expect.arrayContaining([
      [sent?.id, "sent", null, 7],
      [sending?.id, "sending", null, null],
      [waiting?.id, "cancelled", "RULE_DELETED", null],
    ]),
  );
  expect(items).toHaveLength(3);

  await setConnected(seller, "connected");
  const telegram = await engine.telegramOf(seller);
  await engine.idle();
  const unsettled = await readLedger(engine.deps, seller.id, { limit: 10, lead_id: sending?.id });
  expect([telegram.calls, unsettled.items]).toMatchObject([[], [{ state: "unknown", reason: "RULE_DELETED" }]]);
});

test("what a deleted rule had in the queue waits for its undo and then leaves; without one it never does", async () => {
  const undone = await sellerWithRule();
  const gone = await sellerWithRule();
  const telegrams: FakeTelegram[] = [];
  for (const { seller, id } of [undone, gone]) {
    await newLead(engine, seller, { enteredAt: engine.clock.now() - 3 * DAY * 1000 });
    await planReminders(engine.deps);
    await remove(seller, id);
    await setConnected(seller, "connected");
    const telegram = await engine.telegramOf(seller);
    telegrams.push(telegram);
  }
  await engine.idle();
  expect(telegrams.map(({ delivered }) => delivered.length)).toEqual([0, 0]);
  await restore(undone.seller, undone.id);
  await engine.advance(61);
  expect(telegrams[0]?.delivered).toHaveLength(1);
  expect(telegrams[1]?.calls).toEqual([]);
});

test("a stage change that is taken back tells nobody twice, and keeps what was still to be told", async () => {
  const { seller } = await sellerWithRule();
  const [reminded, waiting, fresh] = [
    await newLead(engine, seller, { enteredAt: engine.clock.now() - 3 * DAY * 1000 }),
    await newLead(engine, seller, { enteredAt: engine.clock.now() - 3 * DAY * 1000 }),
    await newLead(engine, seller),
  ];
  expect(await planReminders(engine.deps)).toBe(2);
  const { db } = engine.deps;
  await db.updateTable("outbox").set({ state: "sent" }).where("lead_id", "=", reminded.id).execute();
  const toStageId = (await addRow(db, "stages", { owner_id: seller.id, name: "Mistake", order: 2 })).id;
  for (const { id: leadId } of [reminded, waiting, fresh]) {
    await engine.move(seller, leadId, toStageId);
    expect(await undoMove(db, { ownerId: seller.id, leadId, at: engine.clock.iso() })).toBe(true);
  }
  expect(await planReminders(engine.deps)).toBe(0);
  const open = await db
    .selectFrom("outbox as o")
    .innerJoin("leads as l", "l.id", "o.lead_id")
    .select(["l.id", "o.state"])
    .whereRef("l.stage_entry_epoch", "=", "o.epoch")
    .where("o.owner_id", "=", seller.id)
    .execute();
  expect(open).toEqual([{ id: waiting.id, state: "pending" }]);

  await changeRows(db, "outbox", { lead_id: waiting.id }, { state: "cancelled", reason: "MOVED_ON" });
  await engine.move(seller, waiting.id, toStageId);
  expect(await undoMove(db, { ownerId: seller.id, leadId: waiting.id, at: engine.clock.iso() })).toBe(true);
  expect(await planReminders(engine.deps)).toBe(1);
});
