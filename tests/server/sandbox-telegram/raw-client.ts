import { createPublicKey, publicEncrypt, constants, randomBytes } from "node:crypto";
import { connect, type Socket } from "node:net";
import type { TelegramNetwork } from "../../../sandbox/telegram/index.ts";
import { publicKeyFingerprint } from "../../../sandbox/telegram/protocol/server-key.ts";
import {
  authKeyId,
  decryptMessage,
  encryptMessage,
  finishExchange,
  fromBigInt,
  handshakeKey,
  igeDecrypt,
  igeEncrypt,
  sha1,
  sha256,
  startExchange,
  toBigInt,
  xor,
} from "../../../sandbox/telegram/wire/crypto.ts";
import { TlReader } from "../../../sandbox/telegram/wire/tl-buffer.ts";
import { deserialize, serialize, type TlObject } from "../../../sandbox/telegram/wire/tl.ts";
import { afterTest } from "./support.ts";

export type Received = { id: bigint; seqNo: number; body: Buffer };

const CONTAINER = 0x73f1f8dc;

/** A client that can do everything wrong: each packet is built by the test. */
export class RawClient {
  readonly #socket: Socket;
  readonly #publicKeyPem: string;
  #buffer: Buffer = Buffer.alloc(0);
  readonly #packets: Buffer[] = [];
  readonly #waiting: ((packet: Buffer) => void)[] = [];
  readonly #messages: Received[] = [];
  authKey: Buffer = Buffer.alloc(0);
  salt: Buffer = Buffer.alloc(8);
  sessionId: Buffer = randomBytes(8);
  closed: Promise<void>;
  #lastId = 0n;

  constructor(network: Pick<TelegramNetwork, "connection">, dcId = 2) {
    const dc = network.connection.dcs.find(({ id }) => id === dcId);
    this.#publicKeyPem = network.connection.publicKeyPem;
    this.#socket = connect(dc?.port ?? 0, "127.0.0.1");
    this.#socket.write(Buffer.from("eeeeeeee", "hex"));
    this.#socket.on("data", (bytes: Buffer) => this.#receive(bytes));
    this.closed = new Promise((resolve) => {
      this.#socket.once("close", () => resolve());
    });
    this.#socket.on("error", () => undefined);
    afterTest(() => {
      this.#socket.destroy();
    });
  }

  #receive(bytes: Buffer): void {
    this.#buffer = Buffer.concat([this.#buffer, bytes]);
    while (this.#buffer.length >= 4 && this.#buffer.length >= 4 + this.#buffer.readUInt32LE(0)) {
      const end = 4 + this.#buffer.readUInt32LE(0);
      const packet = this.#buffer.subarray(4, end);
      this.#buffer = this.#buffer.subarray(end);
      const waiter = this.#waiting.shift();
      if (waiter === undefined) this.#packets.push(packet);
      else waiter(packet);
    }
  }

  /** The next packet as it came. */
  packet(): Promise<Buffer> {
    const packet = this.#packets.shift();
    return packet === undefined ? new Promise((resolve) => this.#waiting.push(resolve)) : Promise.resolve(packet);
  }

  write(packet: Buffer): void {
    const header = Buffer.alloc(4);
    header.writeUInt32LE(packet.length);
    this.#socket.write(Buffer.concat([header, packet]));
  }

  messageId(offsetSeconds = 0): bigint {
    const now = Date.now() + offsetSeconds * 1000;
    const id = (BigInt(Math.floor(now / 1000)) << 32n) | (BigInt(now % 1000) << 22n);
    this.#lastId = offsetSeconds === 0 && id <= this.#lastId ? this.#lastId + 4n : id;
    return this.#lastId;
  }

  async plain(object: TlObject): Promise<TlObject> {
    const body = serialize(object);
    const header = Buffer.alloc(20);
    header.writeBigInt64LE(this.messageId(), 8);
    header.writeUInt32LE(body.length, 16);
    this.write(Buffer.concat([header, body]));
    return deserialize((await this.packet()).subarray(20));
  }

  /** The whole key exchange, as https://core.telegram.org/mtproto/auth_key tells clients. */
  async handshake(expiresIn?: number): Promise<void> {
    const nonce = randomBytes(16);
    const newNonce = randomBytes(32);
    const resPq = await this.plain({ _: "mt_req_pq_multi", nonce });
    const serverNonce = resPq["serverNonce"] as Buffer;
    const pq = resPq["pq"] as Buffer;
    const [p, q] = factors(toBigInt(pq));
    const inner = serialize({
      _: expiresIn === undefined ? "mt_p_q_inner_data_dc" : "mt_p_q_inner_data_temp_dc",
      pq,
      p,
      q,
      nonce,
      serverNonce,
      newNonce,
      dc: 2,
      ...(expiresIn === undefined ? {} : { expiresIn }),
    });
    const key = createPublicKey(this.#publicKeyPem);
    const answer = await this.plain({
      _: "mt_req_DH_params",
      nonce,
      serverNonce,
      p,
      q,
      publicKeyFingerprint: new TlReader(publicKeyFingerprint(key)).long(),
      encryptedData: publicEncrypt({ key, padding: constants.RSA_NO_PADDING }, rsaPad(inner)),
    });
    const aes = handshakeKey(serverNonce, newNonce);
    const dh = deserialize(igeDecrypt(answer["encryptedAnswer"] as Buffer, aes.key, aes.iv).subarray(20));
    const { secret, publicValue } = startExchange();
    this.authKey = finishExchange(secret, dh["gA"] as Buffer);
    const data = serialize({ _: "mt_client_DH_inner_data", nonce, serverNonce, retryId: 0, gB: publicValue });
    const hashed = Buffer.concat([sha1(data), data]);
    const padded = Buffer.concat([hashed, randomBytes((16 - (hashed.length % 16)) % 16)]);
    const done = await this.plain({
      _: "mt_set_client_DH_params",
      nonce,
      serverNonce,
      encryptedData: igeEncrypt(padded, aes.key, aes.iv),
    });
    const hash = sha1(newNonce, Uint8Array.of(1), sha1(this.authKey).subarray(0, 8)).subarray(4);
    if (!(done["newNonceHash1"] as Buffer).equals(hash)) throw new Error("the server agreed on another key");
    this.salt = xor(newNonce.subarray(0, 8), serverNonce.subarray(0, 8));
  }

  /** Sends one encrypted message; gives its id. */
  send(body: Buffer, { id = this.messageId(), seqNo = 1 }: { id?: bigint; seqNo?: number } = {}): bigint {
    const plain = Buffer.alloc(32 + body.length);
    this.salt.copy(plain, 0);
    this.sessionId.copy(plain, 8);
    plain.writeBigInt64LE(id, 16);
    plain.writeInt32LE(seqNo, 24);
    plain.writeInt32LE(body.length, 28);
    body.copy(plain, 32);
    this.write(encryptMessage(this.authKey, plain, "from-client"));
    return id;
  }

  /** The next message, taken out of containers. */
  async message(): Promise<Received> {
    while (this.#messages.length === 0) {
      const packet = await this.packet();
      if (!packet.subarray(0, 8).equals(authKeyId(this.authKey))) throw new Error("a packet under another key");
      const plain = decryptMessage(this.authKey, packet, "to-client");
      if (plain === null) throw new Error("a packet with a wrong msg_key");
      const body = plain.subarray(32, 32 + plain.readUInt32LE(28));
      this.#messages.push(...unpack({ id: plain.readBigInt64LE(16), seqNo: plain.readInt32LE(24), body }));
    }
    return this.#messages.shift() as Received;
  }

  /** The next message that is this constructor, or the answer to that request; others are passed over. */
  async next(name: string): Promise<Received & { object: TlObject }> {
    for (;;) {
      const message = await this.message();
      const isResult = message.body.readUInt32LE(0) === 0xf35c6d01;
      if (isResult ? name !== "rpc_result" : name === "rpc_result") continue;
      const object = deserialize(isResult ? message.body.subarray(12) : message.body);
      if (isResult || object._ === name) return { ...message, object };
    }
  }
}

function unpack(message: Received): Received[] {
  if (message.body.readUInt32LE(0) !== CONTAINER) return [message];
  const reader = new TlReader(message.body, 4);
  return Array.from({ length: reader.uint() }, () => ({
    id: reader.raw(8).readBigInt64LE(0),
    seqNo: reader.int(),
    body: reader.raw(reader.int()),
  }));
}

export function container(messages: Received[]): Buffer {
  const parts = messages.map(({ id, seqNo, body }) => {
    const header = Buffer.alloc(16);
    header.writeBigInt64LE(id, 0);
    header.writeInt32LE(seqNo, 8);
    header.writeInt32LE(body.length, 12);
    return Buffer.concat([header, body]);
  });
  const header = Buffer.alloc(8);
  header.writeUInt32LE(CONTAINER, 0);
  header.writeUInt32LE(messages.length, 4);
  return Buffer.concat([header, ...parts]);
}

function rsaPad(data: Buffer): Buffer {
  const padded = Buffer.concat([data, randomBytes(192 - data.length)]);
  for (;;) {
    const key = randomBytes(32);
    const sealed = igeEncrypt(Buffer.concat([padded.toReversed(), sha256(key, padded)]), key, Buffer.alloc(32));
    const block = Buffer.concat([xor(key, sha256(sealed)), sealed]);
    if (block.readUInt8(0) < 0x80) return block;
  }
}

/** Pollard's rho, enough for 62 bits. */
function factors(pq: bigint): [Buffer, Buffer] {
  const gcd = (a: bigint, b: bigint): bigint => (b === 0n ? a : gcd(b, a % b));
  for (let c = 1n; ; c += 1n) {
    let slow = 2n;
    let fast = 2n;
    let divisor = 1n;
    while (divisor === 1n) {
      slow = (slow * slow + c) % pq;
      fast = (fast * fast + c) % pq;
      fast = (fast * fast + c) % pq;
      divisor = gcd(slow > fast ? slow - fast : fast - slow, pq);
    }
    if (divisor === pq) continue;
    const other = pq / divisor;
    return divisor < other
      ? [fromBigInt(divisor, 4), fromBigInt(other, 4)]
      : [fromBigInt(other, 4), fromBigInt(divisor, 4)];
  }
}
