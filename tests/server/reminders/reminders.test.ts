import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Reminder } from "../../../domain/reminder.ts";
import type { Bus } from "../../../server/core/bus.ts";
import type { Running } from "../../../server/core/deps.ts";
import { eraseExcluded } from "../../../server/exclusions/erase.ts";
import { excludeLeads } from "../../../server/exclusions/index.ts";
import { foldSettled } from "../../../server/outbox/index.ts";
import { planReminders, startReminderChecks } from "../../../server/reminders/index.ts";
import {
  createFakeTelegram,
  newLead,
  startTestEngine,
  type FakeTelegram,
  type Seller,
  type TestEngine,
} from "../../support/engine.ts";
import { refusal } from "../../support/fake-telegram.ts";

const DAY = 86_400;
let engine: TestEngine;
const checks: Running[] = [];
beforeAll(async () => {
  engine = await startTestEngine();
});
afterAll(async () => {
  await Promise.all(checks.map((check) => check.stop()));
  await engine.stop();
});

const as = (seller: Seller) => ({ authorization: `Bearer ${seller.id}` });
const post = (seller: Seller, body: object = {}) =>
  engine.app.inject({
    method: "POST",
    url: "/api/reminders",
    headers: as(seller),
    payload: {
      type: "stuck",
      stage: "initial contact",
      delay_days: 2,
      channel_id: "@team",
      template: "{name} is stuck",
      ...body,
    },
  });
const list = async (seller: Seller) =>
  (await engine.app.inject({ method: "GET", url: "/api/reminders", headers: as(seller) })).json<Reminder[]>();
const toggle = (seller: Seller, id: string, isEnabled: boolean) =>
  engine.app.inject({
    method: "PATCH",
    url: `/api/reminders/${id}`,
    headers: as(seller),
    payload: { is_enabled: isEnabled },
  });

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
    await startReminderChecks(
      { ...engine.deps, bus },
      { accountId, userId, telegramUserId, fence: 1n, port: telegram.port, signal },
    ),
  );
}
const disconnected = async () => {
  const seller = await engine.newSeller();
  const setState = (state: "connected" | "disconnected") =>
    engine.deps.db.updateTable("telegram_sessions").set({ state }).where("id", "=", seller.accountId).execute();
  await setState("disconnected");
  return { seller, setState };
};
/** Lets time pass until Telegram has as many messages. */
const got = async (telegram: FakeTelegram, count: number) => {
  await engine.clock.passUntil(() => telegram.delivered.length >= count || null);
  expect(telegram.delivered).toHaveLength(count);
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
    const { seller, setState } = await disconnected();
    expect((await post(seller, { channel_id: "@elsewhere" })).statusCode).toBe(200);
    expect((await list(seller))[0]).toMatchObject({ is_enabled: true, disabled_reason: null });
    await setState("connected");
    await checking(seller, createFakeTelegram(engine.clock));
    await engine.idle();
    expect((await list(seller))[0]).toMatchObject({ is_enabled: false, disabled_reason: "There is no such channel." });
  });

  it("are switched off and on, deleted, and nobody else's", async () => {
    const { seller } = await sellerWithChannel();
    const stranger = await engine.newSeller();
    const { id } = (await post(seller)).json<Reminder>();
    expect((await toggle(seller, id, false)).json<Reminder>().is_enabled).toBe(false);
    expect((await toggle(stranger, id, true)).statusCode).toBe(404);
    expect((await toggle(seller, id, true)).json<Reminder>().is_enabled).toBe(true);
    const remove = (who: Seller) =>
      engine.app.inject({ method: "DELETE", url: `/api/reminders/${id}`, headers: as(who) });
    expect((await remove(stranger)).statusCode).toBe(404);
    expect((await remove(seller)).statusCode).toBe(200);
    expect(await list(seller)).toEqual([]);
  });
});

describe("a rule's channel", () => {
  const afterSaving = async (error: Error, bus?: Bus) => {
    const { seller, setState } = await disconnected();
    await post(seller);
    await setState("connected");
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
    const verified = async () =>
      (
        await engine.deps.db
          .selectFrom("reminders")
          .select("verified_at")
          .where("owner_id", "=", seller.id)
          .executeTakeFirst()
      )?.verified_at;
    expect(await verified()).not.toBeNull();
  });

  it("that another account cannot post to works again with the account that can", async () => {
    const { seller } = await sellerWithChannel();
    const { id } = (await post(seller)).json<Reminder>();
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
    const { seller } = await disconnected();
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
    await got(telegram, 1);
    expect(telegram.delivered[0]).toMatchObject({
      to: "@team",
      text: `Ann in Initial Contact for 2 days: tg://user?id=${lead.telegramUserId}`,
    });
    await engine.advance(5 * DAY);
    expect(await planReminders(engine.deps)).toBe(0);
    await engine.deps.db
      .updateTable("leads")
      .set({ stage_entry_epoch: 2, stage_entered_at: engine.clock.iso() })
      .where("id", "=", lead.id)
      .execute();
    await engine.advance(2 * DAY + 1);
    expect(await planReminders(engine.deps)).toBe(1);
    await got(telegram, 2);
  });

  it("is one digest for more than five leads", async () => {
    const { seller, telegram } = await sellerWithChannel();
    await post(seller);
    for (let index = 0; index < 6; index += 1)
      await newLead(engine, seller, { name: `Lead ${index}`, enteredAt: engine.clock.now() });
    await engine.advance(2 * DAY + 1);
    expect(await planReminders(engine.deps)).toBe(1);
    await got(telegram, 1);
    expect(telegram.delivered[0]?.text.split("\n")).toHaveLength(7);
  });

  it("names nobody in a digest who was excluded since, and keeps nobody's name who is erased", async () => {
    const { seller, setState } = await disconnected();
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
    await setState("connected");
    const telegram = createFakeTelegram(engine.clock);
    await engine.startSending(seller, telegram);
    await got(telegram, 1);
    const lines = telegram.delivered[0]?.text.split("\n") ?? [];
    expect(lines[0]).toContain("⏰ 5 leads are stuck in stage");
    expect(lines.slice(1).map((line) => /Lead \d/.exec(line)?.[0])).toEqual([
      "Lead 0",
      "Lead 2",
      "Lead 3",
      "Lead 4",
      "Lead 5",
    ]);
    await engine.idle();
    await exclude(leads[3], engine.clock.iso());
    await eraseExcluded(engine.deps);
    const { rows } = await sql<{ body: string }>`select body from outbox where owner_id = ${seller.id}::uuid`.execute(
      engine.deps.db,
    );
    expect(rows[0]?.body.match(/Lead \d/g)).toEqual(["Lead 0", "Lead 2", "Lead 4", "Lead 5"]);
    await foldSettled(engine.deps, -1);
    await exclude(leads[0], engine.clock.iso());
    await eraseExcluded(engine.deps);
    const folded = await engine.deps.db
      .selectFrom("ledger")
      .select("excerpt")
      .where("owner_id", "=", seller.id)
      .execute();
    expect(folded).toEqual([{ excerpt: lines[0]?.replace("5 leads", "4 leads") }]);
  });

  it("is not sent for a lead who moved on, nor outside the allowed hours", async () => {
    const { seller } = await disconnected();
    await post(seller);
    const now = engine.clock.now();
    const hour = new Date(now + 2 * DAY * 1000).getUTCHours();
    await engine.deps.db
      .updateTable("user_settings")
      .set({ auto_followup_start_hour: (hour + 2) % 24, auto_followup_end_hour: (hour + 4) % 24 })
      .where("user_id", "=", seller.id)
      .execute();
    const [stays, moves] = [
      await newLead(engine, seller, { enteredAt: now }),
      await newLead(engine, seller, { enteredAt: now }),
    ];
    await engine.advance(2 * DAY + 1);
    expect(await planReminders(engine.deps)).toBe(2);
    await engine.deps.db.updateTable("leads").set({ stage_entry_epoch: 2 }).where("id", "=", moves.id).execute();
    await engine.deps.db
      .updateTable("telegram_sessions")
      .set({ state: "connected" })
      .where("id", "=", seller.accountId)
      .execute();
    const telegram = createFakeTelegram(engine.clock);
    await engine.startSending(seller, telegram);
    await engine.advance(60);
    expect(telegram.calls).toEqual([]);
    await engine.advance(2 * 3_600 + 1_860);
    await got(telegram, 1);
    await engine.idle();
    const rows = await engine.deps.db
      .selectFrom("outbox")
      .select(["lead_id", "state"])
      .where("owner_id", "=", seller.id)
      .execute();
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
