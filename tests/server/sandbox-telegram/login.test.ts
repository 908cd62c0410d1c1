import { createClock } from "../../../server/core/clock.ts";
import { expect, test } from "vitest";
import { API, loggedIn, loginCode, PHONE, refusal, startClient, startNetwork, temporaryDir } from "./support.ts";
import type { TelegramClient } from "@mtcute/node";

async function requestCode(client: TelegramClient, phone = PHONE): Promise<string> {
  const sent = await client.sendCode({ phone });
  if (!("phoneCodeHash" in sent)) throw new Error("logged in without a code");
  return sent.phoneCodeHash;
}

test("a wrong, an empty and an expired code are refused, each with its own words, and a right one still works", async () => {
  const clock = createClock();
  const network = await startNetwork(temporaryDir(), clock);
  const client = await startClient(network);
  const phoneCodeHash = await requestCode(client);
  const wrong = loginCode(network) === "11111" ? "22222" : "11111";
  expect(await refusal(client.signIn({ phone: PHONE, phoneCodeHash, phoneCode: wrong }))).toBe("PHONE_CODE_INVALID");
  expect(await refusal(client.signIn({ phone: PHONE, phoneCodeHash, phoneCode: "" }))).toBe("PHONE_CODE_EMPTY");
  expect(await refusal(client.signIn({ phone: PHONE, phoneCodeHash: "other", phoneCode: wrong }))).toBe(
    "PHONE_CODE_EXPIRED",
  );
  clock.jump(301_000);
  expect(await refusal(client.signIn({ phone: PHONE, phoneCodeHash, phoneCode: wrong }))).toBe("PHONE_CODE_EXPIRED");
  expect(network.account(PHONE).login_code).toBeNull();
  const again = await requestCode(client);
  const user = await client.signIn({ phone: PHONE, phoneCodeHash: again, phoneCode: loginCode(network) });
  expect(user.id).toBe(network.account(PHONE).user_id);
});

test("a code sent again replaces the one before", async () => {
  const network = await startNetwork();
  const client = await startClient(network);
  const first = await requestCode(client);
  const firstCode = loginCode(network);
  const resent = await client.resendCode({ phone: PHONE, phoneCodeHash: first });
  expect(await refusal(client.signIn({ phone: PHONE, phoneCodeHash: first, phoneCode: firstCode }))).toBe(
    "PHONE_CODE_EXPIRED",
  );
  const { phoneCodeHash } = resent;
  await client.signIn({ phone: PHONE, phoneCodeHash, phoneCode: loginCode(network) });
  expect(network.account(PHONE).sessions).toHaveLength(1);
});

test("nonsense is no phone, and faults can flood or ban a phone before it logs in", async () => {
  const network = await startNetwork();
  network.createAccount({ phone: PHONE });
  const client = await startClient(network);
  expect(await refusal(client.sendCode({ phone: "12" }))).toBe("PHONE_NUMBER_INVALID");
  network.addFault(PHONE, { method: "auth.sendCode", error: "PHONE_NUMBER_FLOOD" });
  expect(await refusal(client.sendCode({ phone: PHONE }))).toBe("PHONE_NUMBER_FLOOD");
  network.addFault(PHONE, { method: "auth.sendCode", error: "PHONE_NUMBER_BANNED" });
  expect(await refusal(client.sendCode({ phone: PHONE }))).toBe("PHONE_NUMBER_BANNED");
  expect(await requestCode(client)).not.toBe("");
});

test("a password proof with an id the network does not know is refused as such", async () => {
  const network = await startNetwork();
  network.createAccount({ phone: PHONE, password: "correct horse" });
  const client = await startClient(network);
  const phoneCodeHash = await requestCode(client);
  await refusal(client.signIn({ phone: PHONE, phoneCodeHash, phoneCode: loginCode(network) }));
  const password = await client.computeSrpParams(await client.call({ _: "account.getPassword" }), "correct horse");
  if (password._ !== "inputCheckPasswordSRP") throw new Error("no SRP answer");
  const stale = { ...password, srpId: password.srpId.add(1) };
  expect(await refusal(client.call({ _: "auth.checkPassword", password: stale }))).toBe("SRP_ID_INVALID");
  const answer = await client.call({ _: "auth.checkPassword", password });
  expect(answer._).toBe("auth.authorization");
});

test("an account logged in elsewhere gets its code as a message from Telegram", async () => {
  const network = await startNetwork();
  await loggedIn(network);
  const second = await startClient(network);
  const sent = await second.sendCode({ phone: PHONE });
  if (!("phoneCodeHash" in sent)) throw new Error("logged in without a code");
  expect(sent.type).toBe("app");
  const [chat] = network.chats(PHONE);
  expect(chat).toMatchObject({ id: 777000, title: "Telegram" });
  expect(chat?.messages[0]?.text).toContain(loginCode(network));
});

test("sessions are listed with their devices, and logging out ends one", async () => {
  const network = await startNetwork();
  const first = await loggedIn(network, PHONE, { initConnectionOptions: { deviceModel: "Leadloom server" } });
  const second = await loggedIn(network, PHONE, { initConnectionOptions: { deviceModel: "Other" } });
  expect(network.account(PHONE).sessions.map(({ device }) => device)).toEqual(["Leadloom server", "Other"]);
  const listed = await second.call({ _: "account.getAuthorizations" });
  expect(listed.authorizations.map(({ deviceModel, current = false }) => ({ deviceModel, current }))).toEqual([
    { deviceModel: "Leadloom server", current: false },
    { deviceModel: "Other", current: true },
  ]);
  await first.logOut();
  expect(network.account(PHONE).sessions.map(({ device }) => device)).toEqual(["Other"]);
  expect(await refusal(first.call({ _: "users.getUsers", id: [{ _: "inputUserSelf" }] }))).toBe(
    "AUTH_KEY_UNREGISTERED",
  );
});

test("one session ends another, which learns that it is revoked", async () => {
  const network = await startNetwork();
  const first = await loggedIn(network);
  const second = await loggedIn(network);
  const listed = await second.call({ _: "account.getAuthorizations" });
  const other = listed.authorizations.find(({ current }) => current !== true);
  if (other === undefined) throw new Error("the other session is not listed");
  await second.call({ _: "account.resetAuthorization", hash: other.hash });
  expect(await refusal(first.getMe())).toBe("SESSION_REVOKED");
  expect((await second.getMe()).id).toBe(network.account(PHONE).user_id);
});

test("a bad API id is refused", async () => {
  const network = await startNetwork();
  const client = await startClient(network, { ...API, apiId: -1 });
  expect(await refusal(client.sendCode({ phone: PHONE }))).toBe("API_ID_INVALID");
});
