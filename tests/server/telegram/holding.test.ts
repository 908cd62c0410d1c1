import { expect, test } from "vitest";
import { createVirtualClock } from "../../support/virtual-clock.ts";
import { rowOf } from "../../support/rows.ts";
import { startTelegram, startWithUser } from "./support.ts";

let phones = 4_915_130_000_000;

/** Wraps the process's database so that some statements fail. */
function failingFor<T extends object>(db: T, fails: (statement: string) => boolean): T {
  return new Proxy(db, {
    get(known, name) {
      const member: unknown = Reflect.get(known, name, known);
      if (typeof member !== "function") return member;
      return (...given: unknown[]): unknown => {
        if (fails(`${String(name)} ${String(given[0])}`)) throw new Error("the read was lost");
        return (member as (...all: unknown[]) => unknown).apply(known, given);
      };
    },
  });
}

test("releases an account that fails to start, and retries with back-off", async () => {
  const { telegram, user } = await startWithUser({ hasKeeper: false });
  await telegram.connect(user, `+${(phones += 1)}`);
  let refusals = 0;
  const db = failingFor(telegram.deps.db, (statement) => {
    if (statement !== "selectFrom telegram_state" || refusals >= 1) return false;
    refusals += 1;
    return true;
  });
  const clock = createVirtualClock(telegram.deps.work);
  const keeper = await telegram.startKeeper(undefined, { deps: { ...telegram.deps, db, clock } });
  const owner = async () => (await rowOf(telegram.deps.db, "telegram_sessions", {}, ["lease_owner"])).lease_owner;
  await telegram.idle();
  expect([refusals, keeper.held(), await owner()]).toEqual([1, [], null]);
  await clock.pass(4_999);
  expect(keeper.held()).toEqual([]);
  await clock.pass(1);
  await telegram.idle();
  expect(telegram.inbox.leased.get(user)?.fence).toBe(2n);
  expect(keeper.unusable()).toBe(0);
});

test("reports an account as unreachable after a minute, until it recovers", async () => {
  const { telegram, user } = await startWithUser({ hasKeeper: false });
  await telegram.connect(user, `+${(phones += 1)}`);
  const { connection } = telegram;
  const nowhere = { ...connection, dcs: (connection.dcs ?? []).map((dc) => ({ ...dc, port: 9 })) };
  const clock = createVirtualClock(telegram.deps.work);
  const deps = { ...telegram.deps, clock };
  const cut = await telegram.startKeeper(undefined, { deps, connection: nowhere });
  await clock.passWhile(telegram.inbox.account(user));
  const since = async () => (await telegram.call(user, "GET", "account")).body["unusable_since"];
  expect([cut.unusable(), await since()]).toEqual([0, null]);
  await clock.pass(61_000);
  expect(cut.unusable()).toBe(1);
  expect(clock.now() - Date.parse(String(await since()))).toBeGreaterThanOrEqual(60_000);
  await cut.stop();
  const keeper = await telegram.startKeeper(undefined, { deps });
  await clock.passUntil(async () => (await since()) === null || null);
  expect(keeper.unusable()).toBe(0);
});

test("takes at most a worker's limit of accounts", async () => {
  const telegram = await startTelegram();
  for (let seller = 0; seller < 3; seller += 1) await telegram.connect(await telegram.newUser(), `+${(phones += 1)}`);
  const keeper = await (await telegram.another({ env: { WORKER_MAX_ACCOUNTS: "2" } })).startKeeper();
  await telegram.idle();
  expect(keeper.held()).toHaveLength(2);
  const second = await telegram.startKeeper();
  await telegram.idle();
  expect([keeper.held().length, second.held().length]).toEqual([2, 1]);
});

test("refuses a send after the account was released, without crashing", async () => {
  const { telegram, user } = await startWithUser({ hasKeeper: false });
  const keeper = await telegram.startKeeper();
  await telegram.connect(user, `+${(phones += 1)}`);
  const { port } = await telegram.inbox.account(user);
  await keeper.stop();
  const late = port.sendText({ to: { channel: "me" }, text: "late", randomId: 1n });
  await expect(late).rejects.toThrow("The connection to Telegram is closed.");
});
