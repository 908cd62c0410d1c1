import { createHmac, timingSafeEqual } from "node:crypto";
import type { Config } from "../core/config.ts";
import type { Clock } from "../core/clock.ts";
import { deriveKey } from "../core/secrets.ts";

const LIFE_MS = 3_600_000;
/** Links made within this time are the same, so that a browser keeps its copy. */
const STEP_MS = 900_000;

/** Links to an owner's files that need no token and end within an hour or so. */
export type MediaLinks = {
  to(mediaId: string): string;
  isValid(mediaId: string, expires: string, signature: string): boolean;
};

export function createMediaLinks(config: Pick<Config, "encryptionKeys">, clock: Clock): MediaLinks {
  const oldest = config.encryptionKeys[0];
  if (oldest === undefined) throw new Error("An encryption key is needed to sign links.");
  const key = deriveKey(oldest.key, "media-link");
  const sign = (mediaId: string, expires: string) =>
    createHmac("sha256", key).update(`${mediaId}.${expires}`).digest("base64url");
  return {
    to(mediaId) {
      const expires = String(Math.ceil((clock.now() + LIFE_MS) / STEP_MS) * STEP_MS);
      return `/api/media/${mediaId}?expires=${expires}&signature=${sign(mediaId, expires)}`;
    },
    isValid(mediaId, expires, signature) {
      const given = Buffer.from(signature);
      const wanted = Buffer.from(sign(mediaId, expires));
      return given.length === wanted.length && timingSafeEqual(given, wanted) && Number(expires) > clock.now();
    },
  };
}
