import { deflateSync, gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { TlReader, TlWriter } from "../../../sandbox/telegram/wire/tl-buffer.ts";
import { toTlLong } from "../../../sandbox/telegram/wire/longs.ts";
import { serialize, type TlObject } from "../../../sandbox/telegram/wire/tl.ts";
import { container, RawClient } from "./raw-client.ts";
import { startNetwork } from "./support.ts";

/** A call wrapped as the first of a connection is. */
const initialised = (query: TlObject): Buffer => {
  const wrapped = writer((to) => {
    to.int(0xda9b0d0d);
    to.int(227);
    to.int(0xc1cd5ea9);
    to.int(0);
    to.int(1);
    for (const text of ["test", "1", "1", "en", "", "en"]) to.string(text);
  });
  return Buffer.concat([wrapped, serialize(query)]);
};

const writer = (write: (to: TlWriter) => void): Buffer => {
  const to = new TlWriter();
  write(to);
  return to.result();
};

const nearestDc = { _: "help.getNearestDc" };

async function connected() {
  const network = await startNetwork();
  const client = new RawClient(network);
  await client.handshake();
  return { network, client };
}

test("a session begins with new_session_created, answers a call and keeps quiet about a ping's acknowledgement", async () => {
  const { client } = await connected();
  const first = client.send(initialised(nearestDc));
  const created = await client.next("mt_new_session_created");
  expect(String(created.object["firstMsgId"])).toBe(String(toTlLong(first)));
  expect((await client.next("rpc_result")).object).toMatchObject({ _: "nearestDc", thisDc: 2 });
  const ping = client.send(serialize({ _: "mt_ping", pingId: 77 }), { seqNo: 2 });
  const { object } = await client.next("mt_pong");
  expect([String(object["msgId"]), String(object["pingId"])]).toEqual([String(ping), "77"]);
});

test("a wrong salt is refused with the right one, and the message then works", async () => {
  const { client } = await connected();
  const right = client.salt;
  client.salt = Buffer.alloc(8, 1);
  const bad = client.send(initialised(nearestDc));
  const { object } = await client.next("mt_bad_server_salt");
  expect(object).toMatchObject({ errorCode: 48, badMsgSeqno: 1 });
  expect(String(object["badMsgId"])).toBe(String(bad));
  client.salt = Buffer.from((object["newServerSalt"] as { toBytesLE(): number[] }).toBytesLE());
  expect(client.salt.equals(right)).toBe(true);
  client.send(initialised(nearestDc));
  expect((await client.next("rpc_result")).object._).toBe("nearestDc");
});

test("future salts begin with the current one and follow each other by half an hour", async () => {
  const { client } = await connected();
  const id = client.send(serialize({ _: "mt_get_future_salts", num: 3 }), { seqNo: 2 });
  const bodies = [(await client.message()).body, (await client.message()).body];
  const body = bodies.find((candidate) => candidate.readUInt32LE(0) === 0xae500895);
  if (body === undefined) throw new Error("no future_salts came");
  const reader = new TlReader(body, 4);
  expect(reader.raw(8).readBigInt64LE(0)).toBe(id);
  reader.int();
  const salts = Array.from({ length: reader.int() }, () => ({
    since: reader.int(),
    until: reader.int(),
    salt: reader.raw(8),
  }));
  expect(salts[0]?.salt.equals(client.salt)).toBe(true);
  const [first = 0, ...rest] = salts.map(({ since }) => since);
  expect(rest).toEqual([first + 1800, first + 3600]);
  expect(salts.map(({ since, until }) => until - since)).toEqual([3600, 3600, 3600]);
});

test.each([
  ["too old", { offset: -400, code: 16 }],
  ["from the future", { offset: 100, code: 17 }],
])("a message id %s is refused by its code", async (_name, { offset, code }) => {
  const { client } = await connected();
  client.send(initialised(nearestDc), { id: client.messageId(offset) });
  expect((await client.next("mt_bad_msg_notification")).object["errorCode"]).toBe(code);
});

test("a message id not divisible by four, an even seqno of a call and an odd one of a container are refused", async () => {
  const { client } = await connected();
  const code = async () => (await client.next("mt_bad_msg_notification")).object["errorCode"];
  client.send(initialised(nearestDc), { id: client.messageId() + 1n });
  expect(await code()).toBe(18);
  client.send(initialised(nearestDc), { seqNo: 2 });
  expect(await code()).toBe(35);
  client.send(container([]), { seqNo: 3 });
  expect(await code()).toBe(34);
});

test("a container's messages are each answered; a nested or reused container is refused", async () => {
  const { client } = await connected();
  const body = initialised(nearestDc);
  const [a, b, outer] = [client.messageId(), client.messageId(), client.messageId()];
  const both = container([
    { id: a, seqNo: 1, body },
    { id: b, seqNo: 3, body: serialize(nearestDc) },
  ]);
  client.send(both, { id: outer, seqNo: 4 });
  const answered = [await client.next("rpc_result"), await client.next("rpc_result")];
  expect(answered.map((message) => message.body.readBigInt64LE(4))).toEqual([a, b]);
  client.send(both, { id: outer, seqNo: 4 });
  expect((await client.next("mt_bad_msg_notification")).object["errorCode"]).toBe(19);
  const inner = { id: client.messageId(), seqNo: 4, body: container([]) };
  client.send(container([inner]), { seqNo: 4 });
  expect((await client.next("mt_bad_msg_notification")).object["errorCode"]).toBe(64);
});

test.each([
  ["gzip", gzipSync],
  ["zlib", deflateSync],
])("calls packed by %s are read", async (_name, pack) => {
  const { client } = await connected();
  const packed = writer((to) => {
    to.int(0x3072cfa1);
    to.bytes(pack(initialised(nearestDc)));
  });
  client.send(packed);
  expect((await client.next("rpc_result")).object._).toBe("nearestDc");
});

test("a call sent twice is carried out once and answered twice with the same message", async () => {
  const { client, network } = await connected();
  const call = initialised({
    _: "auth.sendCode",
    phoneNumber: "+4915112345678",
    apiId: 1,
    apiHash: "x",
    settings: { _: "codeSettings" },
  });
  const id = client.send(call);
  const first = await client.next("rpc_result");
  const code = network.account("+4915112345678").login_code;
  client.send(call, { id });
  const second = await client.next("rpc_result");
  expect(second.id).toBe(first.id);
  expect(second.body.equals(first.body)).toBe(true);
  expect(network.account("+4915112345678").login_code).toBe(code);
});

test("answers not acknowledged are sent again on the next connection of the session, acknowledged ones are not", async () => {
  const { client, network } = await connected();
  client.send(initialised(nearestDc));
  const created = await client.next("mt_new_session_created");
  const answer = await client.next("rpc_result");
  client.send(serialize({ _: "mt_msgs_ack", msgIds: [toTlLong(created.id)] }), { seqNo: 2 });
  client.send(serialize({ _: "mt_ping", pingId: 1 }), { seqNo: 2 });
  await client.next("mt_pong");
  const again = new RawClient(network);
  Object.assign(again, { authKey: client.authKey, salt: client.salt, sessionId: client.sessionId });
  again.send(serialize({ _: "mt_ping", pingId: 2 }), { id: client.messageId(), seqNo: 2 });
  expect((await again.message()).id).toBe(answer.id);
});

test("keys, layers and methods the network does not know are refused as Telegram does", async () => {
  const { client, network } = await connected();
  client.send(serialize(nearestDc));
  expect((await client.next("rpc_result")).object).toMatchObject({
    errorCode: 400,
    errorMessage: "CONNECTION_NOT_INITED",
  });
  client.send(Buffer.from("01020304", "hex"), { seqNo: 3 });
  expect((await client.next("rpc_result")).object["errorMessage"]).toBe("INPUT_METHOD_INVALID_67305985");
  const stranger = new RawClient(network);
  stranger.authKey = Buffer.alloc(256, 5);
  stranger.send(initialised(nearestDc));
  expect((await stranger.packet()).readInt32LE(0)).toBe(-404);
  const elsewhere = new RawClient(network, 4);
  Object.assign(elsewhere, { authKey: client.authKey, salt: client.salt });
  elsewhere.send(initialised(nearestDc));
  expect((await elsewhere.packet()).readInt32LE(0)).toBe(-404);
});

test("a destroyed session begins anew, a destroyed key is gone", async () => {
  const { client } = await connected();
  client.send(initialised(nearestDc));
  const before = await client.next("mt_new_session_created");
  const other = client.sessionId;
  client.sessionId = Buffer.alloc(8, 9);
  client.send(serialize({ _: "mt_destroy_session", sessionId: new TlReader(other).long() }), { seqNo: 1 });
  expect((await client.next("mt_destroy_session_ok")).object._).toBe("mt_destroy_session_ok");
  client.sessionId = other;
  client.send(initialised(nearestDc));
  const after = await client.next("mt_new_session_created");
  expect(String(after.object["uniqueId"])).not.toBe(String(before.object["uniqueId"]));
  client.send(serialize({ _: "mt_destroy_auth_key" }), { seqNo: 3 });
  await client.next("mt_destroy_auth_key_ok");
  client.send(serialize(nearestDc), { seqNo: 5 });
  for (;;) {
    const packet = await client.packet();
    if (packet.length > 4) continue;
    expect(packet.readInt32LE(0)).toBe(-404);
    break;
  }
});

test("a temporary key that is not bound may do nothing else", async () => {
  const network = await startNetwork();
  const client = new RawClient(network);
  await client.handshake(3600);
  client.send(initialised(nearestDc));
  expect((await client.next("rpc_result")).object).toMatchObject({
    errorCode: 401,
    errorMessage: "AUTH_KEY_PERM_EMPTY",
  });
});

test("a connection on which no ping comes in time is closed, when the client asked for that", async () => {
  const { client } = await connected();
  client.send(serialize({ _: "mt_ping_delay_disconnect", pingId: 1, disconnectDelay: 0 }), { seqNo: 2 });
  await expect(client.closed).resolves.toBeUndefined();
});

test("a client that breaks the handshake is disconnected", async () => {
  const network = await startNetwork();
  const client = new RawClient(network);
  client.write(Buffer.concat([Buffer.alloc(16), Buffer.from("04000000", "hex"), Buffer.from("deadbeef", "hex")]));
  await client.closed;
  const next = new RawClient(network);
  await next.handshake();
  expect(next.authKey).toHaveLength(256);
});
