import { expect, test } from "vitest";
import { watchAnswers } from "../../../server/telegram/connection.ts";
import { runHistories } from "../../../tools/chaos/histories-run.ts";
import { createGapReader } from "../../../server/telegram/account/history.ts";
import type { ChatPlace, PrivateChat } from "../../../server/telegram/types.ts";
import { eventually, startTelegram } from "./support.ts";

const PHONE = "+4915112345678";

test("after an absence too long to be listed the chats are read past old pinned ones, a wait is kept, a restart goes on at the chat in hand", async () => {
  const telegram = await startTelegram();
  const user = await telegram.newUser();
  let keeper = await telegram.startKeeper();
  expect(await telegram.connect(user, PHONE)).toMatchObject({ status: 200 });
  const { accountId } = await telegram.inbox.account(user);
  telegram.network.addOldChats(PHONE, { count: 1, days: 30 });
  const [old] = telegram.network.chats(PHONE).filter(({ title }) => title.includes("Old"));
  telegram.network.pinChat(PHONE, old?.id ?? 0);
  await keeper.stop();

  telegram.clock.advance(7_200);
  for (const text of ["first", "second", "third"])
    telegram.network.receive(PHONE, { from: { first_name: `Who said ${text}` }, text });
  telegram.network.forgetUpdates(PHONE);
  telegram.network.addFault(PHONE, { method: "messages.getDialogs", error: "FLOOD_WAIT_600" });
  const told = () => telegram.inbox.messages.map(({ text }) => text);
  const place = async () => {
    const row = await telegram.deps.db
      .selectFrom("telegram_state")
      .select("value")
      .where("account_id", "=", accountId)
      .where("key", "=", "updates_missed")
      .executeTakeFirst();
    return row === undefined ? null : (JSON.parse(Buffer.from(row.value).toString()) as { done: string[] });
  };
  keeper = await telegram.startKeeper();
  await eventually("the gap to be noted", place);
  telegram.network.receive(PHONE, { from: { first_name: "Live" }, text: "meanwhile" });
  await telegram.idle();
  expect(told()).toEqual(["meanwhile"]);

  telegram.inbox.beforeStoring = ({ text }) => {
    if (text === "first") throw new Error("the database cannot be reached");
  };
  telegram.clock.advance(601);
  await eventually("the chats but one", async () => (await place())?.done.length === 3);
  await keeper.stop();
  telegram.inbox.beforeStoring = () => {};
  telegram.inbox.messages.splice(0);
  await telegram.startKeeper();
  await eventually("the chats to be read", async () => (await place()) === null);
  expect(told()).toEqual(["first"]);
});

test("more chats than a page has, all of one second, are read once each, and then nothing is left to read", async () => {
  const telegram = await startTelegram();
  const user = await telegram.newUser();
  const keeper = await telegram.startKeeper();
  expect(await telegram.connect(user, PHONE)).toMatchObject({ status: 200 });
  await keeper.stop();
  telegram.clock.advance(7_200);
  for (let chat = 0; chat < 101; chat += 1)
    telegram.network.receive(PHONE, { from: { first_name: `Person ${chat}` }, text: `message ${chat}` });
  telegram.network.forgetUpdates(PHONE);
  await telegram.startKeeper();
  const missed = telegram.deps.db.selectFrom("telegram_state").select("key").where("key", "=", "updates_missed");
  await eventually("the chats to be read", async () => {
    const people = new Set(telegram.inbox.messages.map(({ peer }) => peer.id));
    return people.size === 101 && (await missed.execute()).length === 0;
  });
  const told = telegram.inbox.messages.map(({ text }) => text);
  expect(new Set(told).size).toBe(101);
});

test("chats behind pages of groups alone are read once, and where there are none the reading ends too", async () => {
  const telegram = await startTelegram();
  const { db } = telegram.deps;
  const { id: accountId } = await db
    .insertInto("telegram_sessions")
    .values({
      user_id: await telegram.newUser(),
      telegram_user_id: 1,
      state: "connected",
      device: "Leadloom",
      connected_at: telegram.clock.iso(),
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  const since = Math.floor(telegram.clock.now() / 1000) - 7_200;
  const behind: ChatPlace = { date: since + 60, id: 9, peerId: -100 };
  const read: string[] = [];
  const lists: (number | null)[] = [];
  const readGap = async (found: PrivateChat[]) => {
    const reader = createGapReader({
      db,
      clock: telegram.clock,
      work: telegram.deps.work,
      logger: telegram.deps.logger,
      accountId,
      chats: {
        listChats: async (after) => {
          lists.push(after?.id ?? null);
          return after === null ? { chats: [], next: behind } : { chats: found, next: null };
        },
        readPage: async ({ peer }) => {
          read.push(peer.id);
          return { messages: [], older: null, oldestDate: since };
        },
        readChat: async () => [],
        keep: async () => {},
      },
      hand: async () => {},
    });
    await reader.note(since);
    const left = db.selectFrom("telegram_state").select("key").where("key", "=", "updates_missed");
    await telegram.idle();
    expect(await left.execute()).toEqual([]);
    await reader.stop();
    return lists.splice(0);
  };
  const peer = { id: "700100" } as PrivateChat["peer"];
  const twice = [null, 9, null, 9];
  expect(await readGap([{ peer, lastAt: since + 30, lastId: 5, isPinned: false, readUpTo: 0 }])).toEqual(twice);
  expect(read).toEqual(["700100"]);
  expect(await readGap([])).toEqual(twice);
});

test("in 25 generated histories no message between two connections is lost", { timeout: 180_000 }, async () => {
  const figures = await runHistories({ histories: 25, seed: 7, say: () => {} });
  expect(figures).toMatchObject({ histories: 25, restarts: 2, wrong: [] });
  expect(figures.tooLong).toBeGreaterThan(5);
  expect(figures.messages).toBeGreaterThan(250);
});

test("an answer that says 'too much missed' is noticed, with the time since when, and a wait for what was missed is waited out", async () => {
  const noticed: unknown[] = [];
  const watch = watchAnswers({
    onTooMuchMissed: (since, mayBeMore) => noticed.push([since, mayBeMore]),
    onRefused: (code, text) => noticed.push(`${code} ${text}`),
    wait: async (seconds) => void noticed.push(seconds),
  });
  const ask = (...answers: unknown[]) =>
    watch(
      { request: { _: "updates.getDifference", pts: 1, qts: 0, date: 1_700_000_000 } } as Parameters<typeof watch>[0],
      async () => answers.shift(),
    );
  const tooLong = { _: "updates.differenceTooLong", pts: 9 };
  expect(await ask(tooLong)).toBe(tooLong);
  await ask({ _: "updates.differenceTooLong", pts: 1 });
  const empty = { _: "updates.differenceEmpty", date: 1, seq: 0 };
  expect(await ask({ _: "mt_rpc_error", errorCode: 420, errorMessage: "FLOOD_WAIT_77" }, empty)).toBe(empty);
  await ask({ _: "mt_rpc_error", errorCode: 401, errorMessage: "SESSION_REVOKED" });
  expect(noticed).toEqual([[1_700_000_000, true], [1_700_000_000, false], 77, "401 SESSION_REVOKED"]);
});
