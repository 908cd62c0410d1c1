import { expect, test } from "vitest";
import { watchAnswers } from "../../../server/telegram/connection.ts";
import { readHistorySince } from "../../../server/telegram/account/history.ts";
import { openLoginClient } from "../../../server/telegram/login/login-client.ts";
import { afterTest, startTelegram } from "./support.ts";

const PHONE = "+4915112345678";

test("what was written since a time is read from the chats, in the account's order, people only", async () => {
  const telegram = await startTelegram();
  const login = await openLoginClient(telegram.connection);
  afterTest(() => login.close());
  const sent = await login.client.sendCode({ phone: PHONE });
  if (!("phoneCodeHash" in sent)) throw new Error("logged in without a code");
  const code = telegram.network.account(PHONE).login_code ?? "";
  await login.client.signIn({ phone: PHONE, phoneCodeHash: sent.phoneCodeHash, phoneCode: code });

  const anna = telegram.network.receive(PHONE, { from: { first_name: "Anna" }, text: "long ago" });
  telegram.network.receive(PHONE, { from: { first_name: "Old" }, text: "long ago too" });
  telegram.clock.advance(3_600);
  const since = Math.floor(telegram.clock.now() / 1000);
  telegram.clock.advance(60);
  telegram.network.receive(PHONE, { from: { first_name: "Ben" }, text: "first" });
  telegram.network.receive(PHONE, { from: { first_name: "Anna", user_id: anna.user_id }, text: "second" });
  telegram.network.receive(PHONE, { from: { first_name: "Ben the second" }, text: "third" });
  telegram.network.createChannel({ username: "shop_talk", title: "Shop talk" });
  telegram.network.writeInChannel(PHONE, "shop_talk", { from: { first_name: "Noise" }, text: "not a lead" });

  const missed = await readHistorySince(login.client, since);
  expect(missed.map(({ message }) => message)).toEqual(["first", "second", "third"]);
});

test("an answer that says 'too much missed' is noticed, with the time since when", async () => {
  const noticed: unknown[] = [];
  const watch = watchAnswers({
    onTooMuchMissed: (since) => noticed.push(since),
    onRefused: (code, text) => noticed.push(`${code} ${text}`),
  });
  const ask = (answer: unknown) =>
    watch(
      { request: { _: "updates.getDifference", pts: 1, qts: 0, date: 1_700_000_000 } } as Parameters<typeof watch>[0],
      async () => answer,
    );
  const tooLong = { _: "updates.differenceTooLong", pts: 9 };
  expect(await ask(tooLong)).toBe(tooLong);
  await ask({ _: "updates.differenceEmpty", date: 1, seq: 0 });
  await ask({ _: "mt_rpc_error", errorCode: 401, errorMessage: "SESSION_REVOKED" });
  expect(noticed).toEqual([1_700_000_000, "401 SESSION_REVOKED"]);
});
