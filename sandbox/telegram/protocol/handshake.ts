import { generatePrimeSync, randomBytes } from "node:crypto";
import {
  DH_GENERATOR,
  DH_PRIME,
  authKeyId,
  finishExchange,
  fromBigInt,
  handshakeKey,
  igeDecrypt,
  igeEncrypt,
  sha1,
  startExchange,
  xor,
} from "../wire/crypto.ts";
import { TlReader, TlWriter } from "../wire/tl-buffer.ts";
import { deserialize, serialize, type TlObject } from "../wire/tl.ts";
import { openRsaPad, type ServerKey } from "./server-key.ts";

/** The negotiated key; `expiresInSeconds` is set for temporary keys (perfect forward secrecy). */
export type AgreedKey = { id: Buffer; key: Buffer; firstSalt: Buffer; expiresInSeconds: number | null };

/** The client's schema has the newer p_q_inner_data_dc, but not these two constructors. */
const P_Q_INNER_DATA = 0x83c95aec;
const P_Q_INNER_DATA_TEMP = 0x3c6a84d4;
const REQ_PQ = 0x60469778;

type InnerData = { nonce: Buffer; serverNonce: Buffer; newNonce: Buffer; expiresInSeconds: number | null };

function readInnerData(data: Buffer): InnerData {
  const reader = new TlReader(data);
  const constructor = reader.uint();
  if (constructor !== P_Q_INNER_DATA && constructor !== P_Q_INNER_DATA_TEMP) {
    const object = deserialize(data);
    const expires = object["expiresIn"];
    return {
      nonce: object["nonce"] as Buffer,
      serverNonce: object["serverNonce"] as Buffer,
      newNonce: object["newNonce"] as Buffer,
      expiresInSeconds: typeof expires === "number" ? expires : null,
    };
  }
  for (let skipped = 0; skipped < 3; skipped += 1) reader.bytes();
  const nonces = { nonce: reader.raw(16), serverNonce: reader.raw(16), newNonce: reader.raw(32) };
  return { ...nonces, expiresInSeconds: constructor === P_Q_INNER_DATA_TEMP ? reader.int() : null };
}

const primeBelow31Bits = (): bigint => generatePrimeSync(29, { bigint: true });

/** The server side of creating an authorization key (https://core.telegram.org/mtproto/auth_key). */
export class Handshake {
  readonly #key: ServerKey;
  readonly #now: () => number;
  #nonce: Buffer | null = null;
  #serverNonce: Buffer = randomBytes(16);
  #inner: InnerData | null = null;
  #secret: Buffer | null = null;

  constructor(key: ServerKey, now: () => number) {
    this.#key = key;
    this.#now = now;
  }

  /** Handles one unencrypted message. Throws when the client violates the protocol. */
  step(data: Buffer): { answer: TlObject; agreed?: AgreedKey } {
    if (data.readUInt32LE(0) === REQ_PQ) return { answer: this.#offerPq(data.subarray(4, 20)) };
    const message = deserialize(data);
    if (message._ === "mt_req_pq_multi") return { answer: this.#offerPq(message["nonce"] as Buffer) };
    this.#checkNonces(message);
    if (message._ === "mt_req_DH_params") return { answer: this.#offerExchange(message) };
    if (message._ === "mt_set_client_DH_params") return this.#agree(message);
    throw new Error(`${message._} is not a handshake message`);
  }

  #offerPq(nonce: Buffer): TlObject {
    this.#nonce = Buffer.from(nonce);
    this.#serverNonce = randomBytes(16);
    const fingerprint = new TlReader(this.#key.fingerprint).long();
    return {
      _: "mt_resPQ",
      nonce,
      serverNonce: this.#serverNonce,
      pq: fromBigInt(primeBelow31Bits() * primeBelow31Bits(), 8),
      serverPublicKeyFingerprints: [fingerprint],
    };
  }

  #checkNonces(message: { [field: string]: unknown }): void {
    const { nonce, serverNonce } = message as { nonce?: Buffer; serverNonce?: Buffer };
    if (nonce === undefined || this.#nonce === null || !this.#nonce.equals(nonce)) throw new Error("wrong nonce");
    if (serverNonce === undefined || !this.#serverNonce.equals(serverNonce)) throw new Error("wrong server nonce");
  }

  #offerExchange(message: TlObject): TlObject {
    const opened = openRsaPad(this.#key, message["encryptedData"] as Buffer);
    if (opened === null) throw new Error("RSA_PAD could not be decrypted");
    const inner = readInnerData(opened);
    this.#checkNonces(inner);
    this.#inner = inner;
    const { secret, publicValue } = startExchange();
    this.#secret = secret;
    const answer = serialize({
      _: "mt_server_DH_inner_data",
      nonce: inner.nonce,
      serverNonce: inner.serverNonce,
      g: DH_GENERATOR,
      dhPrime: DH_PRIME,
      gA: publicValue,
      serverTime: Math.floor(this.#now() / 1000),
    });
    const hashed = Buffer.concat([sha1(answer), answer]);
    const padded = Buffer.concat([hashed, randomBytes((16 - (hashed.length % 16)) % 16)]);
    const { key, iv } = handshakeKey(inner.serverNonce, inner.newNonce);
    return {
      _: "mt_server_DH_params_ok",
      nonce: inner.nonce,
      serverNonce: inner.serverNonce,
      encryptedAnswer: igeEncrypt(padded, key, iv),
    };
  }

  #agree(message: TlObject): { answer: TlObject; agreed: AgreedKey } {
    if (this.#inner === null || this.#secret === null) throw new Error("set_client_DH_params arrived too early");
    const { nonce, serverNonce, newNonce, expiresInSeconds } = this.#inner;
    const aes = handshakeKey(serverNonce, newNonce);
    const opened = igeDecrypt(message["encryptedData"] as Buffer, aes.key, aes.iv);
    const inner = deserialize(opened.subarray(20));
    if (!sha1(serialize(inner)).equals(opened.subarray(0, 20))) throw new Error("wrong hash of the client's DH data");
    this.#checkNonces(inner);
    const key = finishExchange(this.#secret, inner["gB"] as Buffer);
    const answer = {
      _: "mt_dh_gen_ok",
      nonce,
      serverNonce,
      newNonceHash1: sha1(newNonce, Uint8Array.of(1), sha1(key).subarray(0, 8)).subarray(4, 20),
    };
    const firstSalt = xor(newNonce.subarray(0, 8), serverNonce.subarray(0, 8));
    return { answer, agreed: { id: authKeyId(key), key, firstSalt, expiresInSeconds } };
  }
}

/** Encodes an unencrypted message: auth key id 0, message id, length, body. */
export function wrapPlain(messageId: bigint, body: Buffer): Buffer {
  const writer = new TlWriter();
  writer.raw(Buffer.alloc(8));
  const id = Buffer.alloc(8);
  id.writeBigInt64LE(messageId);
  writer.raw(id);
  writer.int(body.length);
  writer.raw(body);
  return writer.result();
}
