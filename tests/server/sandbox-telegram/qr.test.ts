import { expect, test } from "vitest";
import type { TelegramClient } from "@mtcute/node";
import { API, MovableClock, PHONE, startClient, startNetwork, temporaryDir } from "./support.ts";

/** Starts a QR login; gives its first URL and the login's end. */
async function startQr(client: TelegramClient, password?: string) {
  let shown: (url: string) => void = () => undefined;
  const url = new Promise<string>((resolve) => {
    shown = resolve;
  });
  const user = client.signInQr({
    onUrlUpdated: (next) => shown(next),
    ...(password === undefined ? {} : { password }),
  });
  return { url: await url, user };
}

const qrUrl = (token: Uint8Array): string => `tg://login?token=${Buffer.from(token).toString("base64url")}`;

async function exportToken(client: TelegramClient) {
  const answer = await client.call({ _: "auth.exportLoginToken", ...API, exceptIds: [] });
  if (answer._ !== "auth.loginToken") throw new Error(`got ${answer._}`);
  return answer;
}

test("a QR code scanned by the phone logs in", async () => {
  const network = await startNetwork();
  network.createAccount({ phone: PHONE, first_name: "Mia" });
  const client = await startClient(network);
  const { url, user } = await startQr(client);
  await network.scan(PHONE, url);
  expect((await user).firstName).toBe("Mia");
  expect(network.account(PHONE).sessions).toHaveLength(1);
});

test("a QR code scanned by a two-step account asks for the password", async () => {
  const network = await startNetwork();
  network.createAccount({ phone: PHONE, password: "correct horse", first_name: "Mia" });
  const client = await startClient(network);
  const { url, user } = await startQr(client, "correct horse");
  await network.scan(PHONE, url);
  expect((await user).firstName).toBe("Mia");
});

test("a QR code scanned by an account of the other data centre logs in there", async () => {
  const network = await startNetwork();
  network.createAccount({ phone: PHONE, dc_id: 4, first_name: "Far" });
  const client = await startClient(network);
  const { url, user } = await startQr(client);
  await network.scan(PHONE, url);
  expect((await user).firstName).toBe("Far");
});

test("a two-step account of the other data centre is asked for its password there", async () => {
  const network = await startNetwork();
  network.createAccount({ phone: PHONE, dc_id: 4, password: "correct horse", first_name: "Far" });
  const client = await startClient(network);
  const { url, user } = await startQr(client, "correct horse");
  await network.scan(PHONE, url);
  expect((await user).firstName).toBe("Far");
});

test("a QR code lives for 30 seconds; the expired one is refused and the next one works", async () => {
  const clock = new MovableClock();
  const network = await startNetwork(temporaryDir(), clock);
  network.createAccount({ phone: PHONE, first_name: "Mia" });
  const client = await startClient(network);
  const first = await exportToken(client);
  expect(first.expires - Math.floor(Date.now() / 1000)).toBeLessThanOrEqual(30);
  clock.advance(31);
  await expect(network.scan(PHONE, qrUrl(first.token))).rejects.toMatchObject({ status: 409, code: "qr_expired" });
  const next = await exportToken(client);
  expect(Buffer.from(next.token).equals(Buffer.from(first.token))).toBe(false);
  await network.scan(PHONE, qrUrl(next.token));
  const done = await client.call({ _: "auth.exportLoginToken", ...API, exceptIds: [] });
  expect(done._).toBe("auth.loginTokenSuccess");
});

test("a QR code is scanned once, by a phone that exists, and is the network's own", async () => {
  const network = await startNetwork();
  network.createAccount({ phone: PHONE });
  const client = await startClient(network);
  const { token } = await exportToken(client);
  await expect(network.scan("+4900000000", qrUrl(token))).rejects.toMatchObject({
    status: 404,
    code: "unknown_account",
  });
  await expect(network.scan(PHONE, "https://example.org")).rejects.toMatchObject({ status: 422 });
  await expect(network.scan(PHONE, qrUrl(Buffer.alloc(32)))).rejects.toMatchObject({ status: 409, code: "qr_invalid" });
  await network.scan(PHONE, qrUrl(token));
  await expect(network.scan(PHONE, qrUrl(token))).rejects.toMatchObject({ status: 409, code: "qr_invalid" });
});
