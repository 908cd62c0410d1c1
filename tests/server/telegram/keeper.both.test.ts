import { sql } from "kysely";
import { expect, test } from "vitest";
import { readGate } from "../../../server/outbox/gate.ts";
import type { SenderAccount } from "../../../server/outbox/port.ts";
import { LEASE_MS } from "../../../server/telegram/account/leases.ts";
import { rowsOf } from "../../support/rows.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";
import { waitFor } from "../../support/waiting.ts";
import { Inbox, startTelegram, type Telegram } from "./support.ts";

const HOUR_MS = 3_600_000;
let phones = 4_915_120_000_000;

async function connectSellers(telegram: Telegram, count: number): Promise<string[]> {
  const users = [];
  for (let seller = 0; seller < count; seller += 1) {
    const user = await telegram.newUser();
    expect(await telegram.connect(user, `+${(phones += 1)}`)).toMatchObject({ status: 200 });
    users.push(user);
  }
  return users;
}

/** Tracks who holds each account; two holders at once fail the test. */
class Watch {
  readonly holders = new Map<string, string>();
  readonly overlaps: string[] = [];
  inbox(worker: string): Inbox {
    const inbox = new Inbox();
    const { onLeased } = inbox.listeners;
    inbox.listeners.onLeased = async (account) => {
      const other = this.holders.get(account.accountId);
      if (other !== undefined) this.overlaps.push(`${account.accountId}: ${other} and ${worker}`);
      this.holders.set(account.accountId, worker);
      account.signal.addEventListener("abort", () => {
        if (this.holders.get(account.accountId) === worker) this.holders.delete(account.accountId);
      });
      return onLeased(account);
    };
    return inbox;
  }
}

test("shares accounts between two workers, and takes over when one stops", async () => {
  const telegram = await startTelegram();
  const watch = new Watch();
  const [first, second] = [watch.inbox("first"), watch.inbox("second")];
  const leaving = await telegram.startKeeper(first);
  const users = await connectSellers(telegram, 4);
  await telegram.idle();
  expect(first.leased.size).toBe(4);

  await (await telegram.another()).startKeeper(second);
  await telegram.idle();
  expect([first.leased.size, second.leased.size]).toEqual([2, 2]);

  await leaving.stop();
  await telegram.idle();
  expect([...second.leased.keys()].toSorted()).toEqual(users.toSorted());
  expect(watch.overlaps).toEqual([]);
});

test("starts one lease when an event arrives during the start", async () => {
  const telegram = await startTelegram();
  await connectSellers(telegram, 1);
  const { bus } = telegram.deps;
  const on: typeof bus.on = (type, listener) => {
    const off = bus.on(type, listener);
    if (type === "telegram.freed") listener({} as never);
    return off;
  };
  await telegram.startKeeper(undefined, { deps: { ...telegram.deps, bus: { ...bus, on } } });
  await telegram.idle();
  expect(await rowsOf(telegram.deps.db, "telegram_workers", {})).toHaveLength(1);
});

test("raises the fence on each takeover, and refuses an old holder", async () => {
  const telegram = await startTelegram();
  // The first worker's clock is an hour behind Telegram's.
  const clock = createVirtualClock(telegram.deps.work, telegram.clock.now() - HOUR_MS);
  const keeper = await telegram.startKeeper(telegram.inbox, { deps: { ...telegram.deps, clock } });
  const [user = ""] = await connectSellers(telegram, 1);
  const before = await clock.passWhile(telegram.inbox.account(user));
  const holds = async (account: SenderAccount) =>
    (await telegram.deps.db.transaction().execute((tx) => readGate(tx, account, telegram.deps.clock.now()))) !== null;
  expect(await holds(before)).toBe(true);
  await telegram.idle();
  expect(Math.round((keeper.clockOffsetMs() ?? 0) / HOUR_MS)).toBe(1);
  await keeper.stop();
  await telegram.startKeeper();
  const after = await telegram.inbox.account(user);
  expect(after.fence).toBeGreaterThan(before.fence);
  expect([await holds(before), await holds(after)]).toEqual([false, true]);
});

/** A keeper whose database can be cut off and whose process can freeze: time then passes without its timers. */
async function startFragileKeeper(telegram: Telegram, inbox: Inbox) {
  const clock = createVirtualClock(telegram.deps.work);
  let [isCut, frozenMs] = [false, 0];
  const db = new Proxy(telegram.deps.db, {
    get(target, name) {
      if (isCut && name !== "then") throw new Error("the database cannot be reached");
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === "function" ? (member.bind(target) as unknown) : member;
    },
  });
  const monotonic = () => clock.monotonic() + frozenMs;
  const keeper = await telegram.startKeeper(inbox, { deps: { ...telegram.deps, db, clock: { ...clock, monotonic } } });
  return {
    clock,
    keeper,
    cut: () => (isCut = true),
    freeze: (ms: number) => (frozenMs += ms),
    heal: () => (isCut = false),
  };
}

test("releases an account without database before another may take it", async () => {
  const telegram = await startTelegram();
  const watch = new Watch();
  const [cut, healthy] = [watch.inbox("cut"), watch.inbox("healthy")];
  const fragile = await startFragileKeeper(telegram, cut);
  const [user = ""] = await connectSellers(telegram, 1);
  const account = await fragile.clock.passWhile(cut.account(user));

  fragile.cut();
  await fragile.clock.pass(LEASE_MS - fragile.keeper.beatAgeMs() - 1);
  expect(account.signal.aborted).toBe(true);
  // The lease ends by the database's clock, which no test can move.
  await sql`update telegram_workers set lease_until = clock_timestamp() - interval '1 ms'`.execute(telegram.deps.db);
  await (await telegram.another()).startKeeper(healthy);
  await healthy.account(user);
  expect(watch.overlaps).toEqual([]);
  fragile.heal();
});

test("sends nothing after a freeze that may have cost the lease", async () => {
  const telegram = await startTelegram();
  const fragile = await startFragileKeeper(telegram, telegram.inbox);
  const [user = ""] = await connectSellers(telegram, 1);
  const phone = `+${phones}`;
  const { port, telegramUserId, signal } = await fragile.clock.passWhile(telegram.inbox.account(user));
  const { user_id } = telegram.network.receive(phone, { from: { first_name: "Anna" }, text: "hi" });
  await telegram.idle();
  const send = (text: string) =>
    port.sendText({ to: { telegramUserId: String(user_id) }, text, randomId: BigInt(text) });
  await send("1");

  fragile.freeze(LEASE_MS);
  const late = send("2").catch((error: unknown) => error);
  // Instead of a write, the connection is closed.
  await waitFor(() => expect(telegram.connection.deliveryTo?.(Number(telegramUserId)).isReceiving).toBe(false));
  expect(signal.aborted).toBe(false);
  await fragile.keeper.stop();
  expect(await late).toBeInstanceOf(Error);
  expect(telegram.network.sent(phone).map(({ text }) => text)).toEqual(["1"]);
});

test("queues messages that cannot be stored yet, and acknowledges them later", async () => {
  const telegram = await startTelegram();
  await telegram.startKeeper();
  const [user = ""] = await connectSellers(telegram, 1);
  const phone = `+${phones}`;
  await telegram.inbox.account(user);
  const readPosition = () => rowsOf(telegram.deps.db, "telegram_state", { key: "updates_pts" }, ["value"]);
  const before = await readPosition();
  let refusals = 0;
  const refused = Promise.withResolvers<void>();
  telegram.inbox.beforeStoring = () => {
    refused.resolve();
    if ((refusals += 1) <= 3) throw new Error("the database cannot be reached");
  };
  const from = { first_name: "Anna" };
  const { user_id } = telegram.network.receive(phone, { from, text: "1" });
  telegram.network.createChannel({ username: "shop_talk", title: "Shop talk" });
  telegram.network.writeInChannel(phone, "shop_talk", { from: { first_name: "Noise" }, text: "not a lead" });
  telegram.network.receive(phone, { from: { ...from, user_id }, text: "2" });
  await refused.promise;
  expect(await readPosition()).toEqual(before);
  await telegram.idle();
  expect(telegram.inbox.messages.map(({ text }) => text)).toEqual(["1", "2"]);
  expect(await readPosition()).not.toEqual(before);
});
