import { expect, test } from "vitest";
import { readBulkJob } from "../../../server/bulk/repository.ts";
import { applyRetention } from "../../../server/telegram/retention.ts";
import { addRow, changeRows, rowOf } from "../../support/rows.ts";
import { PHONE, refusedAs, startTelegram, type Telegram } from "./support.ts";

const HOUR = 3_600;
const DAY = 24 * HOUR;

/** Returns a future time in the database's format. Its milliseconds do not end in zero, because trailing zeros are dropped. */
const instantIn = ({ clock }: Telegram, seconds: number) =>
  new Date((Math.floor(clock.now() / 1000) + seconds) * 1000 + 1).toISOString();

async function connected(telegram: Telegram) {
  const user = await telegram.newUser();
  await telegram.connect(user, PHONE);
  await telegram.startKeeper();
  const { accountId } = await telegram.inbox.account(user);
  const change = (values: Record<string, string | null>) =>
    changeRows(telegram.deps.db, "telegram_sessions", { id: accountId }, values);
  return { user, accountId, change };
}

test("returns the connected account, since when, its health and Telegram name", async () => {
  const telegram = await startTelegram({ env: { PUBLIC_URL: "https://leads.example.com" } });
  const unconnected = await telegram.newUser();
  expect((await telegram.call(unconnected, "GET", "account")).body).toEqual({
    connected: false,
    phone: null,
    connected_at: null,
    last_activity_at: null,
    paused_until: null,
    paused_reason: null,
    stopped_reason: null,
    device: null,
    daily_cap: 200,
    sent_today: 0,
  });
  const startedAt = telegram.clock.now();
  const { user, change } = await connected(telegram);
  const { body } = await telegram.call(user, "GET", "account");
  const shown = { connected: true, phone: PHONE, device: "Leadloom on leads.example.com", daily_cap: 200 };
  expect(body).toMatchObject(shown);
  expect(Date.parse(String(body["connected_at"]))).toBeGreaterThanOrEqual(startedAt);
  expect(telegram.network.account(PHONE).sessions).toMatchObject([{ device: "Leadloom on leads.example.com" }]);

  const until = instantIn(telegram, HOUR);
  const paused = { paused_until: until, paused_reason: "Telegram asks to wait." };
  await change(paused);
  expect((await telegram.call(user, "GET", "account")).body).toMatchObject(paused);
  telegram.clock.advance(HOUR + 1);
  expect((await telegram.call(user, "GET", "account")).body).toMatchObject({ paused_until: null, paused_reason: null });
});

test("accepts a daily limit within bounds while an account is connected", async () => {
  const telegram = await startTelegram();
  const unconnected = await telegram.newUser();
  const limit = (user: string, body: object) => telegram.call(user, "PATCH", "account", body);
  expect(await limit(unconnected, { daily_cap: 30 })).toMatchObject(refusedAs("not_connected", 409));
  const { user } = await connected(telegram);
  expect(await limit(user, { daily_cap: 30 })).toMatchObject({ status: 200, body: { daily_cap: 30 } });
  for (const body of [{ daily_cap: 0 }, { daily_cap: 1.5 }, { daily_cap: 10_001 }, { daily_cap: 5, phone: "x" }, {}])
    expect(await limit(user, body)).toMatchObject({ status: 422 });
  expect(await telegram.call(user, "GET", "account")).toMatchObject({ body: { daily_cap: 30 } });
});

test("lets the user end a spam stop after an hour at the earliest", async () => {
  const telegram = await startTelegram();
  const { user, change } = await connected(telegram);
  await change({ stopped_at: telegram.deps.clock.iso(), stopped_reason: "Telegram has limited this account." });
  telegram.clock.advance(59 * 60);
  const message = expect.stringMatching(/Resume in \d+ seconds at the earliest\.$/) as string;
  const early = { status: 409, body: { code: "resume_too_early", message } };
  expect(await telegram.call(user, "POST", "account/resume")).toMatchObject(early);
  telegram.clock.advance(61);
  const woken: unknown[] = [];
  telegram.deps.bus.on("outbox.ready", (payload) => woken.push(payload));
  const resumed = { status: 200, body: { stopped_reason: null } };
  const resume = () => telegram.call(user, "POST", "account/resume");
  expect([await resume(), await resume()]).toMatchObject([resumed, resumed]);
  await telegram.idle();
  expect(woken).toEqual([{ owner_id: user }]);
});

test("fails a running bulk job when the user connects an account that Telegram has limited", async () => {
  const telegram = await startTelegram();
  const { user, change } = await connected(telegram);
  const { db, clock } = telegram.deps;
  await change({ stopped_at: clock.iso(), stopped_reason: "Telegram has limited this account." });
  await telegram.connect(user, "+4915112345679");
  const job = { owner_id: user, message: "News", throttle_ms: 100, total_targets: 2, created_at: clock.iso() };
  const { id } = await addRow(db, "bulk_jobs", job);
  const read = () => readBulkJob(db, user, id, clock.iso());
  expect(await read()).toMatchObject({ status: "in_progress", error: null });
  await telegram.connect(user, PHONE);
  expect(await read()).toMatchObject({ status: "failed", error_code: "account_limited", failed_count: 2 });
});

test("receives messages for 7 days after access ended, and logs out after 30", async () => {
  const telegram = await startTelegram();
  const { user, accountId } = await connected(telegram);
  const { db } = telegram.deps;
  const ends = instantIn(telegram, DAY);
  const expire = (at: string | null) => changeRows(db, "subscriptions", { user_id: user }, { expires_at: at });
  await addRow(db, "subscriptions", { user_id: user, status: "active", expires_at: ends });
  const pass = async (days: number) => {
    telegram.clock.advance(days * DAY);
    await applyRetention(telegram.deps);
    await telegram.deps.bus.publish("telegram.account", { account_id: accountId, user_id: user });
    await telegram.idle();
  };
  const session = () => rowOf(db, "telegram_sessions", { id: accountId });

  await pass(0.5);
  expect((await session()).access_ended_at).toBeNull();
  await pass(6);
  expect((await session()).access_ended_at).toBe(ends);
  telegram.network.receive(PHONE, { from: { first_name: "Anna" }, text: "still heard" });
  await telegram.idle();
  expect(telegram.inbox.messages.map(({ text }) => text)).toEqual(["still heard"]);
  await pass(2);
  expect(telegram.inbox.released).toEqual([user]);
  expect(await session()).toMatchObject({ lease_owner: null, state: "connected" });
  telegram.network.receive(PHONE, { from: { first_name: "Ben" }, text: "heard later" });

  await expire(null);
  await pass(0);
  expect(telegram.inbox.messages.map(({ text }) => text)).toEqual(["still heard", "heard later"]);
  await expire(telegram.clock.iso());
  await pass(29.9);
  expect((await session()).state).toBe("connected");
  await pass(0.2);
  expect(telegram.network.account(PHONE).sessions).toEqual([]);
  const ended_reason =
    "Your subscription ended 30 days ago, so Leadloom logged out of Telegram. Subscribe and connect again to go on.";
  expect(await telegram.call(user, "GET", "account")).toMatchObject({ body: { connected: false, ended_reason } });
});
