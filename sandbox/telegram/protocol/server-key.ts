import {
  constants,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  privateDecrypt,
  type KeyObject,
} from "node:crypto";
import { igeDecrypt, sha1, sha256, xor } from "../wire/crypto.ts";
import { TlWriter } from "../wire/tl-buffer.ts";

/** The network's RSA key, by which clients authenticate the server. */
export type ServerKey = { readonly publicPem: string; readonly fingerprint: Buffer; readonly privateKey: KeyObject };

/**
 * Generates a key that clients can find. mtcute looks a fingerprint up as hex without leading zeros but stores it with them, so it would
 * not recognize one in sixteen keys.
 */
export function generateServerKeyPem(): string {
  for (;;) {
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const pem = privateKey.export({ type: "pkcs1", format: "pem" }).toString();
    if ((loadServerKey(pem).fingerprint[7] ?? 0) >= 0x10) return pem;
  }
}

export function loadServerKey(privatePem: string): ServerKey {
  const privateKey = createPrivateKey(privatePem);
  const publicKey = createPublicKey(privateKey);
  return {
    publicPem: publicKey.export({ type: "pkcs1", format: "pem" }).toString().trim(),
    fingerprint: publicKeyFingerprint(publicKey),
    privateKey,
  };
}

/** Returns the fingerprint by which clients select the key: the last 8 bytes of SHA1 over its bare TL. */
export function publicKeyFingerprint(publicKey: KeyObject): Buffer {
  const { n = "", e = "" } = publicKey.export({ format: "jwk" });
  const bare = new TlWriter();
  bare.bytes(Buffer.from(n, "base64url"));
  bare.bytes(Buffer.from(e, "base64url"));
  return sha1(bare.result()).subarray(12, 20);
}

/** Decrypts RSA_PAD (https://core.telegram.org/mtproto/auth_key, 4.1): returns 192 bytes with padding at the end, or null. */
export function openRsaPad(key: ServerKey, encrypted: Uint8Array): Buffer | null {
  const block = privateDecrypt({ key: key.privateKey, padding: constants.RSA_NO_PADDING }, encrypted);
  const sealed = block.subarray(32);
  const aesKey = xor(block.subarray(0, 32), sha256(sealed));
  const opened = igeDecrypt(sealed, aesKey, Buffer.alloc(32));
  const data = Buffer.from(opened.subarray(0, 192).toReversed());
  return sha256(aesKey, data).equals(opened.subarray(192)) ? data : null;
}
