import { createHmac, timingSafeEqual } from "node:crypto";
import type { Config } from "../core/config.ts";
import type { Clock } from "../core/clock.ts";
import { deriveKey } from "../core/vault.ts";

const LIFE_MS = 3_600_000;
/** Links created within this period are identical, so that browsers can cache the file. */
const STEP_MS = 900_000;

/** Signed links to an owner's files, which need no token and expire after about an hour. */
export type MediaLinks = {
  to(mediaId: string): string;
  /** to a message's file, by the message's id */
  toMessage(messageId: string): string;
  isValid(mediaId: string, expires: string, signature: string): boolean;
  isValidForMessage(messageId: string, expires: string, signature: string): boolean;
};

export function createMediaLinks(config: Pick<Config, "encryptionKeys">, clock: Clock): MediaLinks {
  const oldest = config.encryptionKeys[0];
  if (oldest === undefined) throw new Error("An encryption key is needed to sign links.");
  const key = deriveKey(oldest.key, "media-link");
  const sign = (name: string, expires: string) =>
    createHmac("sha256", key).update(`${name}.${expires}`).digest("base64url");
  const query = (name: string) => {
    const expires = String(Math.ceil((clock.now() + LIFE_MS) / STEP_MS) * STEP_MS);
    return `?expires=${expires}&signature=${sign(name, expires)}`;
  };
  const isSigned = (name: string, expires: string, signature: string) => {
    const given = Buffer.from(signature);
    const wanted = Buffer.from(sign(name, expires));
    return given.length === wanted.length && timingSafeEqual(given, wanted) && Number(expires) > clock.now();
  };
  // Media ids are UUIDs, so a message's name never equals one.
  const ofMessage = (messageId: string) => `message:${messageId}`;
  return {
    to: (mediaId) => `/api/media/${mediaId}${query(mediaId)}`,
    toMessage: (messageId) => `/api/files/${messageId}${query(ofMessage(messageId))}`,
    isValid: isSigned,
    isValidForMessage: (messageId, expires, signature) => isSigned(ofMessage(messageId), expires, signature),
  };
}
