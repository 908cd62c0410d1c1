import { expect, test } from "vitest";
import type { TelegramClient } from "@mtcute/node";
import { createClock } from "../../../server/core/clock.ts";
import { API, PHONE, startClient, startNetwork, temporaryDir } from "./support.ts";

const qrUrl = (token: Uint8Array): string => `tg://login?token=${Buffer.from(token).toString("base64url")}`;

async function exportToken(client: TelegramClient) {
  const answer = await client.call({ _: "auth.exportLoginToken", ...API, exceptIds: [] });
  if (answer._ !== "auth.loginToken") throw new Error(`got ${answer._}`);
  return answer;
}

test("a QR code lives for 30 seconds; the expired one is refused and the next one works", async () => {
  const clock = createClock();
  const network = await startNetwork(temporaryDir(), clock);
  network.createAccount({ phone: PHONE, first_name: "Mia" });
  const client = await startClient(network);
  const first = await exportToken(client);
  expect(first.expires - Math.floor(Date.now() / 1000)).toBeLessThanOrEqual(30);
  clock.jump(31_000);
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
