import { expect, test } from "vitest";
import { runHistories } from "../../../tools/chaos/histories-run.ts";
import { rowsOf } from "../../support/rows.ts";
import { PHONE, startWithUser } from "./support.ts";

test("reads chats after a long absence, past pinned ones, waits and restarts", async () => {
  const { telegram, user } = await startWithUser({ hasKeeper: false });
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
  const texts = () => telegram.inbox.messages.map(({ text }) => text);
  const place = async () => {
    const key = { account_id: accountId, key: "updates_missed" };
    const [row] = await rowsOf(telegram.deps.db, "telegram_state", key, ["value"]);
    return row === undefined ? null : (JSON.parse(Buffer.from(row.value).toString()) as { done: string[] });
  };
  keeper = await telegram.startKeeper();
  await telegram.idle();
  expect(await place()).not.toBeNull();
  telegram.network.receive(PHONE, { from: { first_name: "Live" }, text: "meanwhile" });
  await telegram.idle();
  expect(texts()).toEqual(["meanwhile"]);

  const reached = Promise.withResolvers<void>();
  telegram.inbox.beforeStoring = ({ text }) => {
    if (text !== "first") return;
    reached.resolve();
    throw new Error("the database cannot be reached");
  };
  telegram.clock.advance(601);
  await reached.promise;
  expect((await place())?.done).toHaveLength(3);
  await keeper.stop();
  telegram.inbox.beforeStoring = () => {};
  telegram.inbox.messages.splice(0);
  await telegram.startKeeper();
  await telegram.idle();
  expect(await place()).toBeNull();
  expect(texts()).toEqual(["first"]);
});

test("reads each chat once when more than a page has the same second", async () => {
  const { telegram, user } = await startWithUser({ hasKeeper: false });
  const keeper = await telegram.startKeeper();
  expect(await telegram.connect(user, PHONE)).toMatchObject({ status: 200 });
  await keeper.stop();
  telegram.clock.advance(7_200);
  for (let chat = 0; chat < 101; chat += 1)
    telegram.network.receive(PHONE, { from: { first_name: `Person ${chat}` }, text: `message ${chat}` });
  telegram.network.forgetUpdates(PHONE);
  await telegram.startKeeper();
  await telegram.idle();
  expect(await rowsOf(telegram.deps.db, "telegram_state", { key: "updates_missed" })).toEqual([]);
  const texts = telegram.inbox.messages.map(({ text }) => text);
  expect(new Set(texts).size).toBe(101);
});

test("loses no message between two connections in 25 generated histories", { timeout: 180_000 }, async () => {
  const figures = await runHistories({ histories: 25, seed: 7, print: () => {} });
  expect(figures).toMatchObject({ histories: 25, restarts: 2, wrong: [] });
  expect(figures.tooLong).toBeGreaterThan(5);
  expect(figures.messages).toBeGreaterThan(250);
});
