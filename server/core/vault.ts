import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import type { Config } from "./config.ts";

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The owner and the row of a secret. Sealed bytes can be opened only for the same ones. */
export type Binding = { userId: string; rowId: string };
export type Sealed = { version: number; bytes: Buffer };

/** Encrypts secrets with AES-256-GCM under the newest key; decrypts those of every known key. */
export type Vault = {
  readonly newestVersion: number;
  seal(plain: Uint8Array, binding: Binding): Sealed;
  /** @throws when a bit, the owner, the row or the key version differs, or the key is unknown */
  open(sealed: { version: number; bytes: Uint8Array }, binding: Binding): Buffer;
};

export function createVault(keys: Config["encryptionKeys"]): Vault {
  const byVersion = new Map(keys.map(({ version, key }) => [version, key]));
  const newest = keys.at(-1);
  if (newest === undefined) throw new Error("ENCRYPTION_KEYS holds no key.");
  return {
    newestVersion: newest.version,
    seal(plain, binding) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv("aes-256-gcm", newest.key, nonce);
      cipher.setAAD(boundTo(binding, newest.version));
      const sealed = Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
      return { version: newest.version, bytes: sealed };
    },
    open({ version, bytes }, binding) {
      const key = byVersion.get(version);
      if (key === undefined) throw new Error(`ENCRYPTION_KEYS lacks version ${version}, which sealed a stored secret.`);
      const sealed = Buffer.from(bytes);
      const decipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(boundTo(binding, version));
      decipher.setAuthTag(sealed.subarray(sealed.length - TAG_BYTES));
      return Buffer.concat([
        decipher.update(sealed.subarray(NONCE_BYTES, sealed.length - TAG_BYTES)),
        decipher.final(),
      ]);
    },
  };
}

const boundTo = ({ userId, rowId }: Binding, version: number) => Buffer.from(`${userId}|${rowId}|${version}`);

/** Derives a key for one purpose from the oldest encryption key (HKDF, RFC 5869), so that no further secret is needed. */
export const deriveKey = (root: Buffer, purpose: string): Buffer =>
  Buffer.from(hkdfSync("sha256", root, "leadloom", purpose, 32));
