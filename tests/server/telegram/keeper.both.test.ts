import { randomUUID } from "node:crypto";
import { Kysely, PostgresDialect, sql, type PostgresPool } from "kysely";
import { expect, test } from "vitest";
import type { Database } from "../../../server/db/schema.ts";
import { readGate } from "../../../server/outbox/gate.ts";
import type { SenderAccount } from "../../../server/outbox/index.ts";
import { startAccountKeeper } from "../../../server/telegram/index.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";
import { Inbox, afterTest, eventually, startTelegram, type Telegram } from "./support.ts";
import { isRealPostgres } from "../../support/database.ts";

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

/** Counts who holds what; two holders of one account at once fail the test. */
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

test("two workers share the accounts, and the one that stays takes over at once when the other stops", async () => {
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

test.skipIf(!isRealPostgres)(
  "a free account whose row somebody else is at is asked for again and again, until it can be taken",
  async () => {
    const telegram = await startTelegram();
    const first = await telegram.startKeeper();
    const [user = ""] = await connectSellers(telegram, 1);
    await telegram.inbox.account(user);
    await first.stop();
    let asked = 0;
    const fifth = Promise.withResolvers<void>();
    const db = new Kysely<Database>({
      dialect: new PostgresDialect({ pool: telegram.deps.engine.pool as unknown as PostgresPool }),
      log: ({ query }) => {
        if (query.sql.includes("fence = s.fence + 1")) asked += 1;
        if (asked === 5) fifth.resolve();
      },
    });
    const second = new Inbox();
    const { connection, deps } = telegram;
    await deps.db.transaction().execute(async (tx) => {
      await sql`select from telegram_sessions where user_id = ${user}::uuid for update`.execute(tx);
      const keeper = await startAccountKeeper({ ...deps, db }, { connection, ...second.listeners });
      afterTest(() => keeper.stop());
      // More often than accounts are looked over anyway.
      await fifth.promise;
      expect(second.leased.size).toBe(0);
    });
    await second.account(user);
  },
);

test("each taking raises the fence, and an old holder is refused", async () => {
  const telegram = await startTelegram();
  const keeper = await telegram.startKeeper();
  const [user = ""] = await connectSellers(telegram, 1);
  const before = await telegram.inbox.account(user);
  const holds = async (account: SenderAccount) =>
    (await telegram.deps.db.transaction().execute((tx) => readGate(tx, account, telegram.deps.clock.now()))) !== null;
  expect(await holds(before)).toBe(true);
  await telegram.idle();
  expect(Math.abs(keeper.clockOffsetMs() ?? Infinity)).toBeLessThan(5_000);
  await keeper.stop();
  await telegram.startKeeper();
  const after = await telegram.inbox.account(user);
  expect(after.fence).toBeGreaterThan(before.fence);
  expect([await holds(before), await holds(after)]).toEqual([false, true]);
});

test("a worker that starts after the clock was moved by days agrees with Telegram's", async () => {
  const telegram = await startTelegram();
  await (await telegram.startKeeper()).stop();
  telegram.clock.advance(3 * 86_400);
  const keeper = await telegram.startKeeper();
  await connectSellers(telegram, 1);
  await telegram.idle();
  expect(Math.abs(keeper.clockOffsetMs() ?? Infinity)).toBeLessThan(5_000);
});

test("a worker that is cut off from the database lets go before another may take the account", async () => {
  const telegram = await startTelegram();
  const watch = new Watch();
  const [cut, healthy] = [watch.inbox("cut"), watch.inbox("healthy")];
  let isCut = false;
  const db = new Proxy(telegram.deps.db, {
    get(target, name) {
      if (isCut && name !== "then") throw new Error("the database cannot be reached");
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === "function" ? (member.bind(target) as unknown) : member;
    },
  });
  const keeper = await startAccountKeeper(
    { ...telegram.deps, db },
    { connection: telegram.connection, ...cut.listeners },
  );
  afterTest(() => keeper.stop());
  const [user = ""] = await connectSellers(telegram, 1);
  const account = await cut.account(user);

  isCut = true;
  await (await telegram.another()).startKeeper(healthy);
  await healthy.account(user);
  expect(account.signal.aborted).toBe(true);
  expect(watch.overlaps).toEqual([]);
  isCut = false;
});

test("messages that cannot be stored yet wait, in order, and are acknowledged only afterwards", async () => {
  const telegram = await startTelegram();
  await telegram.startKeeper();
  const [user = ""] = await connectSellers(telegram, 1);
  const phone = `+${phones}`;
  await telegram.inbox.account(user);
  const readPosition = async () =>
    (
      await telegram.deps.db
        .selectFrom("telegram_state")
        .select("value")
        .where("key", "=", "updates_pts")
        .executeTakeFirst()
    )?.value;
  const before = await readPosition();
  let refusals = 0;
  const refused = Promise.withResolvers<void>();
  telegram.inbox.beforeStoring = () => {
    refused.resolve();
    if ((refusals += 1) <= 3) throw new Error("the database cannot be reached");
  };
  const from = { first_name: "Anna" };
  const { user_id } = telegram.network.receive(phone, { from, text: "1" });
  telegram.network.receive(phone, { from: { ...from, user_id }, text: "2" });
  await refused.promise;
  expect(await readPosition()).toEqual(before);
  await telegram.idle();
  expect(telegram.inbox.messages.map(({ text }) => text)).toEqual(["1", "2"]);
  expect(await readPosition()).not.toEqual(before);
});

test("whoever wrote in the last batch before an account is let go stays within reach, though nobody tells of them again", async () => {
  const telegram = await startTelegram();
  const { db } = telegram.deps;
  const keeper = await telegram.startKeeper();
  const [user = ""] = await connectSellers(telegram, 1);
  const { telegramUserId } = await telegram.inbox.account(user);
  const [inHand, mayStore] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  telegram.inbox.beforeStoring = async ({ messageId, peer }) => {
    inHand.resolve();
    await mayStore.promise;
    await sql`insert into messages (owner_id, account_user_id, peer_user_id, message_id, is_outgoing, sent_at)
      values (${user}::uuid, 4242, ${peer.id}::bigint, ${messageId}, false, now())`.execute(db);
  };
  const { user_id } = telegram.network.receive(`+${phones}`, { from: { first_name: "Anna" }, text: "1" });
  await inHand.promise;
  const stopped = keeper.stop();
  // The client writes for the last time while it closes its connection: the message is stored after that.
  const { deliveryTo } = telegram.network.connection;
  await eventually("the connection to be closed", () => deliveryTo?.(Number(telegramUserId))?.isHeard === false);
  mayStore.resolve();
  await stopped;
  const known = await db.selectFrom("telegram_peers").select("peer_id").execute();
  expect(known.map(({ peer_id: id }) => Number(id))).toContain(user_id);
});

test("edits and deletions follow, a person's own hand is heard, groups and Telegram's own notices are not", async () => {
  const telegram = await startTelegram();
  await telegram.startKeeper();
  const [user = ""] = await connectSellers(telegram, 1);
  const phone = `+${phones}`;
  const account = await telegram.inbox.account(user);
  const { user_id, message_id } = telegram.network.receive(phone, { from: { first_name: "Anna" }, text: "one" });
  await telegram.idle();
  telegram.network.createChannel({ username: "shop_talk", title: "Shop talk" });
  telegram.network.writeInChannel(phone, "shop_talk", { from: { first_name: "Noise" }, text: "not a lead" });
  telegram.network.editMessage(phone, message_id, "one, corrected");
  await telegram.idle();
  telegram.network.deleteMessage(phone, message_id);
  await telegram.idle();
  expect(telegram.inbox.messages.map(({ text }) => text)).toEqual(["one"]);
  expect(telegram.inbox.edits).toMatchObject([
    { messageId: message_id, text: "one, corrected", peer: { id: String(user_id) } },
  ]);
  expect(telegram.inbox.deletions).toMatchObject([
    { userId: user, accountUserId: account.telegramUserId, messageIds: [message_id] },
  ]);
});

test("accounts that change one after another do not have all that a worker holds looked over each time", async () => {
  const telegram = await startTelegram();
  const { bus, db } = telegram.deps;
  let looks = 0;
  const counting = db.withPlugin({
    transformQuery({ node }) {
      if (JSON.stringify(node).includes("t where t.lease_owner =")) looks += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  const clock = createVirtualClock(telegram.deps.work);
  await telegram.startKeeper(telegram.inbox, { deps: { ...telegram.deps, db: counting, clock } });
  const user = await telegram.newUser();
  const changesAfter = async (ms: number): Promise<number> => {
    looks = 0;
    for (let change = 0; change < 20; change += 1)
      await bus.publish("telegram.account", { account_id: randomUUID(), user_id: user });
    await clock.pass(ms);
    return looks;
  };
  await clock.pass(250);
  expect([await changesAfter(0), await changesAfter(249), await changesAfter(1), await changesAfter(250)]).toEqual([
    1, 0, 1, 1,
  ]);
});
