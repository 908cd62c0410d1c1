import { createDiffieHellman, createHash, createHmac, randomBytes } from "node:crypto";
import { NodeCryptoProvider } from "@mtcute/node/utils.js";

const provider = new NodeCryptoProvider();
await provider.initialize();

const hash = (algorithm: string, parts: readonly Uint8Array[]): Buffer => {
  const digest = createHash(algorithm);
  for (const part of parts) digest.update(part);
  return digest.digest();
};

export const sha1 = (...parts: Uint8Array[]): Buffer => hash("sha1", parts);
export const sha256 = (...parts: Uint8Array[]): Buffer => hash("sha256", parts);
export const hmac = (key: Uint8Array, text: string): Buffer => createHmac("sha256", key).update(text).digest();

export function xor(a: Uint8Array, b: Uint8Array): Buffer {
  return Buffer.from(a.map((byte, index) => byte ^ (b[index] ?? 0)));
}

export const toBigInt = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).toString("hex") || "0"}`);
export const fromBigInt = (value: bigint, length: number): Buffer =>
  Buffer.from(value.toString(16).padStart(length * 2, "0"), "hex");

/** Returns base^exponent mod modulus. Slow (tens of milliseconds for 2048 bits): only for two-step passwords. */
export function modPow(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n;
  let square = base % modulus;
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % modulus;
    square = (square * square) % modulus;
  }
  return result;
}

export const igeEncrypt = (data: Uint8Array, key: Uint8Array, iv: Uint8Array): Buffer =>
  Buffer.from(provider.createAesIge(key, iv).encrypt(data));
export const igeDecrypt = (data: Uint8Array, key: Uint8Array, iv: Uint8Array): Buffer =>
  Buffer.from(provider.createAesIge(key, iv).decrypt(data));

/** The 2048-bit safe prime of Telegram's servers, which clients accept without a check. */
export const DH_PRIME = Buffer.from(
  "c71caeb9c6b1c9048e6c522f70f13f73980d40238e3e21c14934d037563d930f48198a0aa7c14058229493d22530f4dbfa336f6e0ac925139543aed44cce7c3720fd51f69458705ac68cd4fe6b6b13abdc9746512969328454f18faf8c595f642477fe96bb2a941d5bcd1d4ac8cc49880708fa9b378e3c4f3a9060bee67cf9a4a4a695811051907e162753b56b0f6b410dba74d8a84b2a14b3144e0ef1284754fd17ed950d5965b4b9dd46582db1178d169c6bc465b0d6ff9ca3928fef5b9ae4e418fc15e83ebea0f87fa9ff5eed70050ded2849f47bf959d956850ce929851f0d8115f635b105ee2e4e15d04b2454bf6f4fadf034b10403119cd8e3b92fcc5b",
  "hex",
);
export const DH_GENERATOR = 3;

const group = createDiffieHellman(DH_PRIME, DH_GENERATOR);
const padTo256 = (bytes: Buffer): Buffer => Buffer.concat([Buffer.alloc(256 - bytes.length), bytes]);

/** Returns generator^exponent mod the prime, 256 bytes. */
export function powerOfGenerator(exponent: Buffer): Buffer {
  group.setPrivateKey(exponent);
  return padTo256(group.generateKeys());
}

/** Starts a Diffie-Hellman exchange: a secret exponent and g^a. */
export function startExchange(): { secret: Buffer; publicValue: Buffer } {
  const secret = randomBytes(256);
  return { secret, publicValue: powerOfGenerator(secret) };
}

/** Returns g^ab, 256 bytes. Throws when the other side's value is out of range. */
export function finishExchange(secret: Buffer, otherPublicValue: Uint8Array): Buffer {
  group.setPrivateKey(secret);
  return padTo256(group.computeSecret(otherPublicValue));
}

/** Derives the key and IV of the handshake's encrypted parts (https://core.telegram.org/mtproto/auth_key, step 5). */
export function handshakeKey(serverNonce: Uint8Array, newNonce: Uint8Array): { key: Buffer; iv: Buffer } {
  const both = sha1(newNonce, serverNonce);
  const reversed = sha1(serverNonce, newNonce);
  const twice = sha1(newNonce, newNonce);
  return {
    key: Buffer.concat([both, reversed.subarray(0, 12)]),
    iv: Buffer.concat([reversed.subarray(12), twice, newNonce.subarray(0, 4)]),
  };
}

export const authKeyId = (authKey: Uint8Array): Buffer => sha1(authKey).subarray(12, 20);

type Direction = "from-client" | "to-client";

/** https://core.telegram.org/mtproto/description#defining-aes-key-and-initialization-vector */
function messageKeys(authKey: Buffer, messageKey: Uint8Array, direction: Direction): { key: Buffer; iv: Buffer } {
  const x = direction === "from-client" ? 0 : 8;
  const a = sha256(messageKey, authKey.subarray(x, x + 36));
  const b = sha256(authKey.subarray(40 + x, 76 + x), messageKey);
  return {
    key: Buffer.concat([a.subarray(0, 8), b.subarray(8, 24), a.subarray(24, 32)]),
    iv: Buffer.concat([b.subarray(0, 8), a.subarray(8, 24), b.subarray(24, 32)]),
  };
}

const messageKeyOf = (authKey: Buffer, padded: Uint8Array, direction: Direction): Buffer => {
  const x = direction === "from-client" ? 0 : 8;
  return sha256(authKey.subarray(88 + x, 120 + x), padded).subarray(8, 24);
};

/** Encrypts one MTProto 2.0 message (`plain` includes salt, session, id, seqno, length and body). */
export function encryptMessage(authKey: Buffer, plain: Uint8Array, direction: Direction): Buffer {
  const padding = 12 + ((16 - ((plain.length + 12) % 16)) % 16);
  const padded = Buffer.concat([plain, randomBytes(padding)]);
  const messageKey = messageKeyOf(authKey, padded, direction);
  const { key, iv } = messageKeys(authKey, messageKey, direction);
  return Buffer.concat([authKeyId(authKey), messageKey, igeEncrypt(padded, key, iv)]);
}

/** Decrypts one MTProto 2.0 packet; returns null if its msg_key does not match its content. */
export function decryptMessage(authKey: Buffer, packet: Uint8Array, direction: Direction): Buffer | null {
  const messageKey = packet.subarray(8, 24);
  const data = packet.subarray(24);
  if (data.length === 0 || data.length % 16 !== 0) return null;
  const { key, iv } = messageKeys(authKey, messageKey, direction);
  const plain = igeDecrypt(data, key, iv);
  return messageKeyOf(authKey, plain, direction).equals(messageKey) ? plain : null;
}

/** Decrypts an MTProto 1.0 packet, as in auth.bindTempAuthKey (https://core.telegram.org/method/auth.bindTempAuthKey). */
export function decryptOldMessage(authKey: Buffer, packet: Uint8Array, length: number): Buffer | null {
  const messageKey = packet.subarray(8, 24);
  const a = sha1(messageKey, authKey.subarray(0, 32));
  const b = sha1(authKey.subarray(32, 48), messageKey, authKey.subarray(48, 64));
  const c = sha1(authKey.subarray(64, 96), messageKey);
  const d = sha1(messageKey, authKey.subarray(96, 128));
  const key = Buffer.concat([a.subarray(0, 8), b.subarray(8, 20), c.subarray(4, 16)]);
  const iv = Buffer.concat([a.subarray(8, 20), b.subarray(0, 8), c.subarray(16, 20), d.subarray(0, 8)]);
  const plain = igeDecrypt(packet.subarray(24), key, iv);
  return sha1(plain.subarray(0, length)).subarray(4, 20).equals(messageKey) ? plain : null;
}
