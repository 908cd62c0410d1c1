import { afterAll, describe, expect, it } from "vitest";
import type { Reminder } from "../../../domain/reminder.ts";
import type { Running } from "../../../server/core/deps.ts";
import { eraseExcluded } from "../../../server/exclusions/erase.ts";
import { excludeLeads } from "../../../server/exclusions/exclude.ts";
import { readForecast } from "../../../server/forecast/forecast.ts";
import { undoMove } from "../../../server/leads/stage-move.ts";
import { readLedger } from "../../../server/ledger/page.ts";
import { foldSettled } from "../../../server/outbox/fold.ts";
import { planReminders } from "../../../server/reminders/plan.ts";
import { eraseDeletedReminders } from "../../../server/reminders/repository.ts";
import { startReminderChecks } from "../../../server/reminders/verify.ts";
import { restartAutomation } from "../../../server/settings/index.ts";
import { accountOf, newLead, newStage, ownEngine, type Seller } from "../../support/engine.ts";
import { type FakeTelegram, refusal } from "../../support/fake-telegram.ts";
import { changeRows, rowOf, rowsOf } from "../../support/rows.ts";

const HOUR = 3_600;
const DAY = 24 * HOUR;
const engine = await ownEngine();
const { db } = engine.deps;
const checks: Running[] = [];
afterAll(() => Promise.all(checks.map((check) => check.stop())));

const inSeconds = (seconds: number) => engine.clock.now() + seconds * 1000;
const iso = (at: number) => new Date(at).toISOString();

type Answer = Reminder & { code: string; message: string };
const call = (seller: Seller, method: "POST" | "DELETE" | "PATCH", path: string, body?: object) =>
  engine.call<Answer>(seller, method, `/reminders${path}`, body);
const RULE = {
  type: "stuck",
  stage: "initial contact",
  delay_days: 2,
  channel_id: "@team",
  template: "{name}: {days}",
};
const post = (seller: Seller, body: object = {}) => call(seller, "POST", "", { ...RULE, ...body });
const list = async (seller: Seller) => (await engine.call<Reminder[]>(seller, "GET", "/reminders")).body;
const toggle = (seller: Seller, id: string, isEnabled: boolean) =>
  call(seller, "PATCH", `/${id}`, { is_enabled: isEnabled });
const remove = async (seller: Seller, id: string) => (await call(seller, "DELETE", `/${id}`)).status;
const restore = (seller: Seller, id: string) => call(seller, "POST", `/${id}/restore`);
const plan = () => planReminders(engine.deps);
const outbox = <C extends "body" | "lead_id" | "state">(seller: Seller, ...columns: C[]) =>
  rowsOf(db, "outbox", { owner_id: seller.id }, columns);

const setConnected = ({ accountId }: Seller, state: "connected" | "disconnected") =>
  changeRows(db, "telegram_sessions", { id: accountId }, { state });
async function connect(seller: Seller) {
  await setConnected(seller, "connected");
  await restartAutomation(db, seller.id, engine.clock.iso());
  return engine.telegramOf(seller);
}

function telegramWithTeam() {
  const telegram = engine.fakeTelegram();
  telegram.channels.set("@team", { ok: true, title: "Team" });
  return telegram;
}
async function checking(seller: Seller, telegram: FakeTelegram) {
  checks.push(startReminderChecks(engine.deps, accountOf(seller, telegram.port)));
  await engine.idle();
}
async function sellerWithChannel() {
  const seller = await engine.newSeller();
  const telegram = telegramWithTeam();
  await engine.startSending(seller, telegram);
  await checking(seller, telegram);
  return { seller, telegram };
}
async function disconnected() {
  const seller = await engine.newSeller();
  await setConnected(seller, "disconnected");
  return seller;
}
/** Creates a seller with a rule for leads two days in a stage; no account is connected yet. */
async function sellerWithRule() {
  const seller = await disconnected();
  return { seller, id: (await post(seller)).body.id };
}
const stuckAt = (seller: Seller, at: number, name = "Kim") =>
  newLead(engine, seller, { name, enteredAt: at - 2 * DAY * 1000 });

describe("reminder rules", () => {
  it("are saved by stage name, ignoring case, and follow its rename", async () => {
    const { seller } = await sellerWithChannel();
    const { status, body } = await post(seller);
    const known = { ...RULE, id: body.id, stage: "Initial Contact" };
    expect([status, body]).toEqual([200, { ...known, is_enabled: true, disabled_reason: null }]);
    await changeRows(db, "stages", { id: seller.stageId }, { name: "First words" });
    expect((await list(seller)).map(({ stage }) => stage)).toEqual(["First words"]);
  });

  it("stay when their request is repeated after the channel was lost", async () => {
    const { seller } = await sellerWithChannel();
    const add = () => engine.call<Reminder>(seller, "POST", "/reminders", RULE, { "idempotency-key": "rule-1" });
    const { id } = (await add()).body;
    const lost = { verified_at: null, is_enabled: false, disabled_reason: "There is no such channel." };
    await changeRows(db, "reminders", { id }, lost);
    expect(await add()).toMatchObject({ status: 200, body: { id, is_enabled: false } });
    expect((await list(seller)).map((rule) => rule.id)).toEqual([id]);
  });

  it("are refused for an unknown stage or placeholder, or an unusable channel", async () => {
    const { seller } = await sellerWithChannel();
    const numbers = "123 12345678901234567890 0 -0 -1000000000000 -1997852516353 -99999999999999".split(" ");
    const channels = ["team", ...numbers].map((channel_id) => ({ channel_id }));
    for (const wrong of [{ stage: "Nowhere" }, { template: "{phone}" }, ...channels])
      expect([wrong, (await post(seller, wrong)).status]).toEqual([wrong, 422]);
    const message = "Leadloom cannot post to @elsewhere: There is no such channel.";
    const refused = await post(seller, { channel_id: "@elsewhere" });
    expect(refused).toMatchObject({ status: 422, body: { code: "channel_refused", message } });
    expect(await list(seller)).toEqual([]);
    const later = await disconnected();
    for (const channel_id of ["-1001234567890", "-4123456"])
      expect((await post(later, { channel_id })).status).toBe(200);
  });

  it("created without an account are checked at the next connection", async () => {
    const seller = await disconnected();
    expect((await post(seller, { channel_id: "@elsewhere" })).status).toBe(200);
    expect(await list(seller)).toMatchObject([{ is_enabled: true, disabled_reason: null }]);
    await setConnected(seller, "connected");
    await checking(seller, engine.fakeTelegram());
    expect(await list(seller)).toMatchObject([{ is_enabled: false, disabled_reason: "There is no such channel." }]);
  });
});

describe("a rule's channel", () => {
  it.each([
    ["a flood wait", refusal("FLOOD_WAIT_600", 420)],
    ["no answer", refusal("TIMEOUT")],
    ["a lost session", refusal("AUTH_KEY_UNREGISTERED", 401)],
    ["an error of Telegram's own", refusal("INTERNAL", 500)],
  ])("that failed to resolve because of %s keeps the rule on, and is retried", async (_name, error) => {
    const { seller, id } = await sellerWithRule();
    await setConnected(seller, "connected");
    const telegram = telegramWithTeam();
    const { checkChannel } = telegram.port;
    let calls = 0;
    telegram.port.checkChannel = async (channel) => {
      calls += 1;
      if (calls === 1) throw error;
      return checkChannel(channel);
    };
    await checking(seller, telegram);
    expect(calls).toBe(1);
    expect(await list(seller)).toMatchObject([{ is_enabled: true, disabled_reason: null }]);
    await engine.clock.passUntil(() => calls > 1 || null);
    expect((await rowOf(db, "reminders", { id })).verified_at).not.toBeNull();
  });

  it("works again with an account that can post to it", async () => {
    const { seller } = await sellerWithChannel();
    const { id } = (await post(seller)).body;
    for (const check of checks.splice(0)) await check.stop();
    await changeRows(db, "reminders", { id }, { verified_at: null });
    await checking({ ...seller, telegramUserId: "77" }, engine.fakeTelegram());
    expect(await list(seller)).toMatchObject([{ is_enabled: false }]);
    await checking(seller, telegramWithTeam());
    expect(await list(seller)).toMatchObject([{ is_enabled: true, disabled_reason: null }]);
  });
});

describe("a reminder", () => {
  it("reports a stuck lead once per stage entry", async () => {
    const { seller, telegram } = await sellerWithChannel();
    await post(seller, { template: "{name} in {stage} for {days} days: {link}" });
    const lead = await newLead(engine, seller, { name: "Ann", enteredAt: engine.clock.now() });
    await engine.advance(2 * DAY - 60);
    expect(await plan()).toBe(0);
    await engine.advance(61);
    expect(await plan()).toBe(1);
    await telegram.got(1);
    const text = `Ann in Initial Contact for 2 days: tg://user?id=${lead.telegramUserId}`;
    expect(telegram.delivered[0]).toMatchObject({ to: "@team", text });
    await engine.advance(5 * DAY);
    expect(await plan()).toBe(0);
    await changeRows(db, "leads", { id: lead.id }, { stage_entry_epoch: 2, stage_entered_at: engine.clock.iso() });
    await engine.advance(2 * DAY + 1);
    expect(await plan()).toBe(1);
    await telegram.got(2);
  });

  it("writes reminders and digests in the language of their owner's settings", async () => {
    const seller = await disconnected();
    await post(seller, { template: "{name}" });
    await changeRows(db, "user_settings", { user_id: seller.id }, { language: "ru" });
    await stuckAt(seller, engine.clock.now(), " ");
    await plan();
    for (let n = 0; n < 6; n += 1) await stuckAt(seller, engine.clock.now(), `Lead ${n}`);
    await plan();
    const texts = (await outbox(seller, "body")).map(({ body }) => body ?? "");
    const first = ["Без имени", "⏰ Лиды, застрявшие на этапе Initial Contact: 6"];
    expect(new Set(texts.map((text) => text.split("\n")[0]))).toEqual(new Set(first));
    expect(texts.join("\n")).toContain("• Lead 0 (2 дня) ");
  });

  it("omits excluded leads from a digest, and removes names of erased ones", async () => {
    const { seller } = await sellerWithRule();
    const leads: string[] = [];
    for (let n = 0; n < 6; n += 1) leads.push((await stuckAt(seller, engine.clock.now() + n, `Lead ${n}`)).id);
    await engine.advance(1);
    expect(await plan()).toBe(1);
    const exclude = (index: number, undoUntil: string) =>
      db.transaction().execute((tx) => {
        const leadIds = leads.slice(index, index + 1);
        return excludeLeads(tx, { ownerId: seller.id, leadIds, at: engine.clock.iso(), undoUntil, batchId: null });
      });
    await exclude(1, iso(inSeconds(30)));
    const telegram = await connect(seller);
    await telegram.got(1);
    const [text = ""] = telegram.texts();
    const [title = ""] = text.split("\n");
    expect(title).toContain("⏰ Leads stuck in stage Initial Contact: 5");
    expect(text.match(/Lead \d/g)).toEqual(["Lead 0", "Lead 2", "Lead 3", "Lead 4", "Lead 5"]);
    await engine.idle();
    await exclude(3, engine.clock.iso());
    await eraseExcluded(engine.deps);
    const [digest] = await outbox(seller, "body");
    expect(digest?.body?.match(/Lead \d/g)).toEqual(["Lead 0", "Lead 2", "Lead 4", "Lead 5"]);
    await foldSettled(engine.deps, -1);
    await exclude(0, engine.clock.iso());
    await eraseExcluded(engine.deps);
    const folded = await rowsOf(db, "ledger", { owner_id: seller.id }, ["excerpt"]);
    expect(folded).toEqual([{ excerpt: title.replace(": 5", ": 4") }]);
  });

  it("is not sent for a lead that has moved on, or outside the allowed hours", async () => {
    const { seller } = await sellerWithRule();
    const hour = new Date(engine.clock.now()).getUTCHours();
    const hours = { auto_followup_start_hour: (hour + 2) % 24, auto_followup_end_hour: (hour + 4) % 24 };
    await changeRows(db, "user_settings", { user_id: seller.id }, hours);
    const stays = await stuckAt(seller, engine.clock.now());
    const moves = await stuckAt(seller, engine.clock.now());
    expect(await plan()).toBe(2);
    await changeRows(db, "leads", { id: moves.id }, { stage_entry_epoch: 2 });
    await setConnected(seller, "connected");
    const telegram = await engine.telegramOf(seller);
    await engine.advance(60);
    expect(telegram.calls).toEqual([]);
    await engine.advance(2 * HOUR + 1_860);
    await telegram.got(1);
    await engine.idle();
    const states = (await outbox(seller, "lead_id", "state")).map((row) => [row.lead_id, row.state] as const);
    expect(Object.fromEntries(states)).toEqual({ [stays.id]: "sent", [moves.id]: "cancelled" });
  });

  it("stops with a reason when its channel is lost or its stage deleted", async () => {
    const { seller, telegram } = await sellerWithChannel();
    const { id } = (await post(seller)).body;
    await stuckAt(seller, engine.clock.now());
    telegram.fail(refusal("CHANNEL_PRIVATE"));
    await plan();
    await engine.idle();
    const lost = "The channel cannot be reached on Telegram.";
    expect(await list(seller)).toMatchObject([{ is_enabled: false, disabled_reason: lost }]);
    await toggle(seller, id, true);
    await changeRows(db, "reminders", { id }, { stage_id: null });
    await plan();
    expect(await list(seller)).toMatchObject([{ is_enabled: false, disabled_reason: "Its stage was deleted." }]);
  });
});

const linesOf = async (seller: Seller) => {
  const { items } = await readLedger(engine.deps, seller.id, { limit: 50 });
  const lines = items.map(({ lead, state, words }) => [lead?.name ?? null, state, words]);
  return lines.toSorted(([a], [b]) => String(a).localeCompare(String(b)));
};

describe("a late reminder", () => {
  it("is sent within 24 hours of being due, and then expires", async () => {
    const { seller } = await sellerWithRule();
    await stuckAt(seller, inSeconds(HOUR), "Ann");
    await stuckAt(seller, inSeconds(3 * HOUR), "Bea");
    await engine.advance(4 * HOUR);
    expect(await plan()).toBe(2);
    await engine.advance(22 * HOUR);
    await plan();
    expect(await linesOf(seller)).toEqual([
      ["Ann", "cancelled", "Expired: it could not be sent within 24 hours of being due."],
      ["Bea", "pending", "Waits until Telegram is connected again."],
    ]);
    const telegram = await connect(seller);
    await engine.idle();
    expect(telegram.texts()).toEqual(["Bea: 2"]);
  });

  it("is retried after its expiry when it may have been delivered", async () => {
    const { seller } = await sellerWithRule();
    await stuckAt(seller, engine.clock.now(), "Ann");
    await plan();
    const uncertain = { is_uncertain: true, attempts: 1, account_user_id: seller.telegramUserId };
    await changeRows(db, "outbox", { owner_id: seller.id }, uncertain);
    await engine.advance(25 * HOUR);
    await plan();
    const telegram = await connect(seller);
    await engine.allSent(seller);
    expect(telegram.texts()).toEqual(["Ann: 2"]);
  });

  it("is sent in two digests after a break in access: expired ones and the rest", async () => {
    const { seller } = await sellerWithRule();
    const telegram = await connect(seller);
    const setAccess = (status: string) => changeRows(db, "subscriptions", { user_id: seller.id }, { status });
    await setAccess("canceled");
    for (let n = 0; n < 6; n += 1) {
      await stuckAt(seller, inSeconds(DAY), `Ann ${n}`);
      await stuckAt(seller, inSeconds(4 * DAY), `Bea ${n}`);
    }
    await engine.advance(4 * DAY + 2 * HOUR);
    await setAccess("active");
    await restartAutomation(db, seller.id, engine.clock.iso());
    expect(await plan()).toBe(2);
    await engine.idle();
    expect(telegram.texts()).toEqual([expect.stringContaining("Bea 5")]);
    const states = (await linesOf(seller)).map(([, state]) => state);
    expect(new Set(states)).toEqual(new Set(["cancelled", "sent"]));
    expect(states).toHaveLength(2);
  });

  it("covers leads stuck before the rule was created or while it was off", async () => {
    const { seller, id } = await sellerWithRule();
    await stuckAt(seller, inSeconds(-9 * DAY), "Ann");
    expect(await plan()).toBe(1);
    expect((await toggle(seller, id, false)).status).toBe(200);
    await stuckAt(seller, inSeconds(DAY), "Bea");
    await engine.advance(5 * DAY);
    expect(await plan()).toBe(0);
    await toggle(seller, id, true);
    expect(await plan()).toBe(1);
    const telegram = await connect(seller);
    await engine.allSent(seller);
    expect(telegram.texts()).toEqual(["Bea: 6"]);
  });
});

it.each([
  { what: "a reminder", names: ["Ann"], text: /^Ann: 2$/ },
  { what: "a digest", names: ["Ann", "Bea", "Cem", "Dan", "Eva", "Fay"], text: /: 6\n/ },
])("sends $what that was withdrawn while its rule was off, once the rule is on", async ({ names, text }) => {
  const { seller, id } = await sellerWithRule();
  for (const name of names) await stuckAt(seller, engine.clock.now(), name);
  expect(await plan()).toBe(1);
  await toggle(seller, id, false);
  const telegram = await connect(seller);
  await engine.idle();
  expect(await outbox(seller, "state")).toEqual([{ state: "cancelled" }]);
  await foldSettled(engine.deps, -1);
  await toggle(seller, id, true);
  expect(await plan()).toBe(1);
  await engine.allSent(seller);
  await toggle(seller, id, true);
  expect([await plan(), telegram.texts().length]).toEqual([0, 1]);
  expect(telegram.texts()).toEqual([expect.stringMatching(text)]);
  for (const name of names) expect(telegram.texts()[0]).toContain(name);
});

describe("the forecast", () => {
  it("leaves out reminders that expire before the account may send", async () => {
    const { seller } = await sellerWithRule();
    await connect(seller);
    const now = engine.clock.now();
    await stuckAt(seller, now + HOUR * 1000, "Ann");
    await stuckAt(seller, now + 20 * HOUR * 1000, "Bea");
    const namesUntil = async (hours: number) => {
      const paused_until = iso(now + hours * HOUR * 1000);
      await changeRows(db, "telegram_sessions", { id: seller.accountId }, { paused_until });
      const { items } = await readForecast(engine.deps, seller.id, 72);
      return items.map(({ lead }) => lead?.name);
    };
    expect(await namesUntil(24)).toEqual(["Ann", "Bea"]);
    expect(await namesUntil(26)).toEqual(["Bea"]);
  });

  it("plans a reminder of the last allowed minute at the next opening", async () => {
    const { seller } = await sellerWithRule();
    await connect(seller);
    const hourMs = HOUR * 1000;
    const closing = Math.ceil(engine.clock.now() / hourMs) * hourMs + hourMs;
    const hour = new Date(closing).getUTCHours();
    const hours = { auto_followup_start_hour: (hour + 1) % 24, auto_followup_end_hour: hour };
    await changeRows(db, "user_settings", { user_id: seller.id }, hours);
    await stuckAt(seller, closing - 5_500, "Ann");
    const { items } = await readForecast(engine.deps, seller.id, 48);
    expect(items.map(({ at }) => Date.parse(at) >= closing + hourMs)).toEqual([true]);
  });
});

describe("a deleted rule", () => {
  it("leaves the list at once, and is restored with every field", async () => {
    const { seller, id } = await sellerWithRule();
    const [row, [shown]] = [await rowOf(db, "reminders", { id }), await list(seller)];
    expect([await remove(seller, id), await list(seller)]).toEqual([200, []]);
    expect([await remove(seller, id), (await toggle(seller, id, false)).status]).toEqual([404, 404]);
    expect(await restore(seller, id)).toEqual({ status: 200, body: shown });
    expect(await rowOf(db, "reminders", { id })).toEqual(row);
    expect((await restore(seller, id)).body).toEqual(shown);
  });

  it("is erased after a minute: pending sends are cancelled, sent ones stay", async () => {
    const { seller, id } = await sellerWithRule();
    const leads = [1, 2, 3].map(() => stuckAt(seller, inSeconds(-DAY)));
    const [sent = "", sending = "", waiting = ""] = (await Promise.all(leads)).map((lead) => lead.id);
    await plan();
    const settled = { state: "sent", message_id: 7, settled_at: engine.clock.iso() } as const;
    await changeRows(db, "outbox", { lead_id: sent }, settled);
    await changeRows(db, "outbox", { lead_id: sending }, { state: "sending", account_user_id: seller.telegramUserId });
    await remove(seller, id);
    await engine.advance(59);
    await eraseDeletedReminders(engine.deps);
    expect(await rowsOf(db, "reminders", { id })).toHaveLength(1);
    await engine.advance(2);
    const absent = await restore(seller, "00000000-0000-4000-8000-000000000000");
    expect([absent.status, await restore(seller, id)]).toEqual([404, absent]);
    await eraseDeletedReminders(engine.deps);
    expect(await rowsOf(db, "reminders", { id })).toEqual([]);
    const { items } = await readLedger(engine.deps, seller.id, { limit: 10 });
    const lines = items.map(
      ({ lead, ...line }) => [lead?.id ?? "", [line.state, line.reason, line.message_id]] as const,
    );
    expect(Object.fromEntries(lines)).toEqual({
      [sent]: ["sent", null, 7],
      [sending]: ["sending", null, null],
      [waiting]: ["cancelled", "RULE_DELETED", null],
    });
    expect(lines).toHaveLength(3);
    await setConnected(seller, "connected");
    const telegram = await engine.telegramOf(seller);
    await engine.idle();
    const unsettled = await readLedger(engine.deps, seller.id, { limit: 10, lead_id: sending });
    expect([telegram.calls, unsettled.items]).toMatchObject([[], [{ state: "unknown", reason: "RULE_DELETED" }]]);
  });

  it("keeps its queue for undo; without undo nothing is sent", async () => {
    const deleted = async () => {
      const { seller, id } = await sellerWithRule();
      await stuckAt(seller, inSeconds(-DAY));
      await plan();
      await remove(seller, id);
      await setConnected(seller, "connected");
      return { seller, id, telegram: await engine.telegramOf(seller) };
    };
    const [undone, gone] = [await deleted(), await deleted()];
    await engine.idle();
    expect([undone, gone].map(({ telegram }) => telegram.delivered)).toEqual([[], []]);
    await restore(undone.seller, undone.id);
    await engine.advance(61);
    expect(undone.telegram.delivered).toHaveLength(1);
    expect(gone.telegram.calls).toEqual([]);
  });
});

it("repeats no reminder after a move is undone, and keeps pending ones", async () => {
  const { seller } = await sellerWithRule();
  const reminded = await stuckAt(seller, inSeconds(-DAY));
  const waiting = await stuckAt(seller, inSeconds(-DAY));
  const fresh = await newLead(engine, seller);
  expect(await plan()).toBe(2);
  await changeRows(db, "outbox", { lead_id: reminded.id }, { state: "sent" });
  const toStageId = await newStage(engine, seller, "Mistake", 2);
  const moveAndUndo = async ({ id: leadId }: { id: string }) => {
    await engine.move(seller, leadId, toStageId);
    expect(await undoMove(db, { ownerId: seller.id, leadId, at: engine.clock.iso() })).toBe(true);
  };
  for (const lead of [reminded, waiting, fresh]) await moveAndUndo(lead);
  expect(await plan()).toBe(0);
  const open = db.selectFrom("outbox as o").innerJoin("leads as l", "l.id", "o.lead_id").select(["l.id", "o.state"]);
  const ofEntry = open.whereRef("l.stage_entry_epoch", "=", "o.epoch").where("o.owner_id", "=", seller.id);
  expect(await ofEntry.execute()).toEqual([{ id: waiting.id, state: "pending" }]);

  await changeRows(db, "outbox", { lead_id: waiting.id }, { state: "cancelled", reason: "MOVED_ON" });
  await moveAndUndo(waiting);
  expect(await plan()).toBe(1);
});
