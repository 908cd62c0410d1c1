import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";
import { Long } from "@mtcute/core";
import { __tlReaderMap, __tlWriterMap } from "@mtcute/core/utils.js";
import { TlBinaryReader, TlBinaryWriter } from "@mtcute/tl-runtime";
import { expect, test } from "vitest";
import { deserialize, serialize, UnknownConstructorError, type TlObject } from "../../../sandbox/telegram/wire/tl.ts";
import { Transport } from "../../../sandbox/telegram/wire/transport.ts";
import { rpcError } from "../../../sandbox/telegram/errors.ts";

const PACKETS = [Buffer.alloc(40, 1), Buffer.alloc(1024, 2), Buffer.alloc(8, 3)];

const withLength = (packet: Buffer): Buffer => {
  const header = Buffer.alloc(4);
  header.writeUInt32LE(packet.length);
  return Buffer.concat([header, packet]);
};

const abridgedFrame = (packet: Buffer): Buffer => {
  const words = packet.length / 4;
  return Buffer.concat([words < 127 ? Buffer.of(words) : Buffer.of(127, words & 255, words >> 8, 0), packet]);
};

const fullFrame = (packet: Buffer, number: number): Buffer => {
  const framed = Buffer.alloc(packet.length + 12);
  framed.writeUInt32LE(framed.length, 0);
  framed.writeUInt32LE(number, 4);
  packet.copy(framed, 8);
  framed.writeUInt32LE(crc32(framed.subarray(0, -4)), framed.length - 4);
  return framed;
};

const TRANSPORTS: [string, Buffer][] = [
  ["abridged", Buffer.concat([Buffer.of(0xef), ...PACKETS.map(abridgedFrame)])],
  ["intermediate", Buffer.concat([Buffer.alloc(4, 0xee), ...PACKETS.map(withLength)])],
  ["full", Buffer.concat(PACKETS.map(fullFrame))],
];

test.each(TRANSPORTS)("the %s transport is known by its first bytes and read however it is cut", (_name, bytes) => {
  for (const size of [1, 7, 100, bytes.length]) {
    const transport = new Transport();
    const packets: Buffer[] = [];
    for (let at = 0; at < bytes.length; at += size) packets.push(...transport.receive(bytes.subarray(at, at + size)));
    expect(packets).toEqual(PACKETS);
  }
});

test.each([
  ["abridged", 0xef, abridgedFrame],
  ["intermediate", 0xee, withLength],
] as const)("an obfuscated connection hides the %s transport both ways", (_name, tag, frame) => {
  const opening = randomBytes(64);
  opening.writeUInt8(1, 0);
  opening.writeUInt32LE(1, 4);
  const cipher = createCipheriv("aes-256-ctr", opening.subarray(8, 40), opening.subarray(40, 56));
  const back = Buffer.from(opening.subarray(8, 56).toReversed());
  const decipher = createDecipheriv("aes-256-ctr", back.subarray(0, 32), back.subarray(32));
  opening.fill(tag, 56, 60);
  const hidden = cipher.update(opening);
  const sent = Buffer.concat([
    opening.subarray(0, 56),
    hidden.subarray(56),
    cipher.update(Buffer.concat(PACKETS.map(frame))),
  ]);
  const transport = new Transport();
  const packets: Buffer[] = [];
  for (let at = 0; at < sent.length; at += 50) packets.push(...transport.receive(sent.subarray(at, at + 50)));
  expect(packets).toEqual(PACKETS);
  for (const packet of PACKETS) expect(decipher.update(transport.wrap(packet))).toEqual(frame(packet));
});

test("padded packets are read without their padding", () => {
  const encrypted = randomBytes(24 + 48);
  const padded = Buffer.concat([encrypted, randomBytes(5)]);
  const transport = new Transport();
  const packets = transport.receive(Buffer.concat([Buffer.alloc(4, 0xdd), withLength(padded)]));
  expect(packets).toEqual([encrypted]);
  const wrapped = transport.wrap(encrypted);
  expect(wrapped.subarray(4, 4 + encrypted.length)).toEqual(encrypted);
  expect(wrapped.length).toBe(4 + wrapped.readUInt32LE(0));
});

test("bytes that follow no transport and packets without end are refused", () => {
  const full = fullFrame(PACKETS[0] ?? Buffer.alloc(8), 0);
  full.writeUInt8(9, 12);
  expect(() => new Transport().receive(full)).toThrow(RangeError);
  expect(() => new Transport().receive(fullFrame(Buffer.alloc(40), 0).fill(255, 0, 3))).toThrow(RangeError);
  expect(() => new Transport().receive(Buffer.alloc(64, 7))).toThrow(RangeError);
  expect(() => new Transport().receive(Buffer.from("eeeeeeeeffffff7f", "hex"))).toThrow(RangeError);
});

const SAMPLES: TlObject[] = [
  { _: "updates.state", pts: 1, qts: 2, date: 3, seq: 4, unreadCount: 5 },
  {
    _: "message",
    out: true,
    id: 7,
    fromId: { _: "peerUser", userId: 5_000_000_001 },
    peerId: { _: "peerChannel", channelId: 1_500_000_001 },
    date: 1_700_000_000,
    message: "grüß dich 🙂",
    entities: [{ _: "messageEntityBold", offset: 0, length: 4 }],
  },
  {
    _: "inputMediaUploadedDocument",
    file: { _: "inputFileBig", id: Long.NEG_ONE, parts: 3, name: "a" },
    mimeType: "b",
    attributes: [],
  },
  { _: "dataJSON", data: "x".repeat(1000) },
];

test.each(SAMPLES.map((sample) => [sample._, sample] as const))(
  "%s is written and read as the client's own codec does",
  (_name, sample) => {
    const theirs = Buffer.from(TlBinaryWriter.serializeObject(__tlWriterMap, sample as never));
    expect(serialize(sample).equals(theirs)).toBe(true);
    const read = TlBinaryReader.deserializeObject<TlObject>(__tlReaderMap, serialize(deserialize(theirs)));
    expect(read).toMatchObject(sample);
  },
);

test("what an older layer lacks is left out for its clients", () => {
  const user = { _: "user", id: 1, self: true, accessHash: Long.ONE, firstName: "Mia", botForumView: true };
  const old = deserialize(serialize(user, 198));
  expect(old).toMatchObject({ _: "user", id: 1, self: true, firstName: "Mia" });
  expect(old).not.toHaveProperty("botForumView");
  expect(serialize(user).equals(serialize(user, 198))).toBe(false);
});

test("unknown constructors and cut-off values are refused", () => {
  expect(() => deserialize(Buffer.from("01020304", "hex"))).toThrow(UnknownConstructorError);
  const whole = serialize(SAMPLES[1]);
  expect(() => deserialize(whole.subarray(0, whole.length - 8))).toThrow(RangeError);
});

test("each error is answered with Telegram's code for it", () => {
  const codes: Record<number, string[]> = {
    420: ["FLOOD_WAIT_5", "FLOOD_PREMIUM_WAIT_7", "SLOWMODE_WAIT_30"],
    400: ["PEER_FLOOD", "PEER_ID_INVALID", "INPUT_USER_DEACTIVATED"],
    403: ["USER_IS_BLOCKED", "USER_PRIVACY_RESTRICTED", "ALLOW_PAYMENT_REQUIRED_10"],
    406: ["PRIVACY_PREMIUM_REQUIRED", "AUTH_KEY_DUPLICATED"],
    500: ["RANDOM_ID_DUPLICATE", "500:ANYTHING"],
    401: ["AUTH_KEY_UNREGISTERED", "SESSION_REVOKED", "USER_DEACTIVATED_BAN"],
    303: ["PHONE_MIGRATE_4"],
    [-503]: ["TIMEOUT"],
  };
  for (const [code, texts] of Object.entries(codes))
    expect(texts.map((text) => rpcError(text).code)).toEqual(texts.map(() => Number(code)));
});
