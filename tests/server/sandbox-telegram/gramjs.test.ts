import { createPublicKey } from "node:crypto";
import { createRequire } from "node:module";
import { TelegramClient } from "telegram";
import { NewMessage } from "telegram/events/index.js";
import { Logger, LogLevel } from "telegram/extensions/Logger.js";
import { PromisedNetSockets } from "telegram/extensions/index.js";
import { ConnectionTCPObfuscated } from "telegram/network/index.js";
import { StringSession } from "telegram/sessions/index.js";
import { expect, onTestFinished, test } from "vitest";
import type { TelegramNetwork } from "../../../sandbox/telegram/index.ts";
import { publicKeyFingerprint } from "../../../sandbox/telegram/protocol/server-key.ts";
import { API, loginCode, PHONE, startNetwork } from "./support.ts";

// GramJS does not export these; they are required by path.
const require = createRequire(import.meta.url);
const { _serverKeys: serverKeys } = require("telegram/crypto/RSA") as {
  _serverKeys: Map<string, { n: unknown; e: number }>;
};
const bigInt = require("big-integer") as (digits: string, base: number) => unknown;

/** Makes GramJS trust the RSA key of the simulated network. */
function trust({ connection }: TelegramNetwork): void {
  const publicKey = createPublicKey(connection.publicKeyPem);
  const { n = "", e = "" } = publicKey.export({ format: "jwk" });
  const hex = (text: string): string => Buffer.from(text, "base64url").toString("hex");
  const fingerprint = publicKeyFingerprint(publicKey).readBigInt64LE().toString();
  serverKeys.set(fingerprint, { n: bigInt(hex(n), 16), e: Number.parseInt(hex(e), 16) });
}

async function startGramJs(network: TelegramNetwork) {
  const dc = network.connection.dcs.find(({ id }) => id === network.connection.mainDcId);
  if (dc === undefined) throw new Error("no main data centre");
  // GramJS always connects to port 80 or 443; its socket hook redirects it to the network's port.
  class LoopbackSocket extends PromisedNetSockets {
    override connect(_port: number, ip: string) {
      return super.connect(dc?.port ?? 0, ip);
    }
  }
  const session = new StringSession("");
  session.setDC(dc.id, dc.ipAddress, 80);
  const client = new TelegramClient(session, API.apiId, API.apiHash, {
    connection: ConnectionTCPObfuscated,
    networkSocket: LoopbackSocket,
    // GramJS drops leading zero bytes of the key it agrees on, so one exchange in 256 fails; it then retries.
    connectionRetries: 5,
    retryDelay: 0,
    baseLogger: new Logger(LogLevel.NONE),
  });
  onTestFinished(() => client.destroy());
  trust(network);
  return client;
}

test("logs in, receives and sends with an independent client", async () => {
  const network = await startNetwork();
  const client = await startGramJs(network);
  await client.start({
    phoneNumber: async () => PHONE,
    phoneCode: async () => loginCode(network),
    onError: (error) => {
      throw error;
    },
  });
  const { user_id: selfId } = network.account(PHONE);
  expect(Number((await client.getMe()).id)).toBe(selfId);
  const arrived = new Promise<string>((resolve) => {
    client.addEventHandler((event) => resolve(event.message.text), new NewMessage({}));
  });
  const { user_id: annaId } = network.receive(PHONE, { from: { first_name: "Anna", username: "anna_k" }, text: "hi" });
  expect(await arrived).toBe("hi");
  const text = await client.sendMessage("anna_k", { message: "hello Anna" });
  const file = await client.sendFile("anna_k", { file: Buffer.alloc(3000, 1), forceDocument: true });
  const post = await client.sendMessage("leadloom_team", { message: "a reminder" });
  expect(network.sent(PHONE)).toMatchObject([
    { to_user_id: annaId, text: "hello Anna", media_type: null, message_id: text.id },
    { to_user_id: annaId, text: "", media_type: "document", message_id: file.id },
    { to_user_id: expect.any(Number), text: "a reminder", message_id: post.id },
  ]);
});
