import { expect, test } from "vitest";
import { eventually, startTelegram } from "./support.ts";

const PHONE = "+4915112345678";

test("a seller connects with the code Telegram sent, and whoever writes then is heard", async () => {
  const telegram = await startTelegram();
  const user = await telegram.newUser();
  await telegram.startKeeper();
  expect(await telegram.call(user, "GET", "status")).toMatchObject({ status: 200, body: { connected: false } });

  expect(await telegram.call(user, "POST", "send-code", { phone: "49 151 12345678" })).toMatchObject({ status: 200 });
  const code = telegram.network.account(PHONE).login_code;
  expect(await telegram.call(user, "POST", "verify-code", { phone: PHONE, code })).toMatchObject({
    status: 200,
    body: { success: true, phone: PHONE },
  });
  expect(await telegram.call(user, "GET", "status")).toMatchObject({ body: { connected: true, phone: PHONE } });

  const account = await telegram.inbox.account(user);
  const { user_id, message_id } = telegram.network.receive(PHONE, {
    from: { first_name: "Anna", last_name: "Kern", username: "anna_k" },
    text: "How much is it?",
  });
  const heard = await eventually("the message", () => telegram.inbox.messages[0]);
  expect(heard).toMatchObject({
    accountId: account.accountId,
    userId: user,
    accountUserId: account.telegramUserId,
    chatType: "private",
    peer: { id: String(user_id), name: "Anna Kern", username: "anna_k", isBot: false, isSelf: false, isDeleted: false },
    messageId: message_id,
    isOutgoing: false,
    text: "How much is it?",
    mediaType: null,
  });
  const sent = await account.port.sendText({
    to: { telegramUserId: String(user_id) },
    text: "Ten euros.",
    randomId: -42n,
  });
  expect(telegram.network.sent(PHONE)).toMatchObject([
    { to_user_id: user_id, text: "Ten euros.", message_id: sent.messageId, random_id: "-42" },
  ]);
  expect(telegram.network.account(PHONE).sessions).toHaveLength(1);
});
