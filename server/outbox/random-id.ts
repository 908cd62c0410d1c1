import { createHmac } from "node:crypto";
import { sql, type RawBuilder } from "kysely";
import type { Config } from "../core/config.ts";
import { deriveKey } from "../core/secrets.ts";

const BLOCK_BYTES = 64;

/** Names each message we may ever send, so that no two share an id. The stage entry is part of a step's name. */
export const dedupeKeys = {
  manual: (leadId: string, followupId: string, epoch: number, request: number) =>
    `manual:${leadId}:${followupId}:${epoch}:${request}`,
  reminder: (reminderId: string, leadId: string, epoch: number) => `reminder:${reminderId}:${leadId}:${epoch}`,
  digest: (reminderId: string, run: string) => `reminder:${reminderId}:digest:${run}`,
};

/** Turns names of messages into Telegram's random ids, in JavaScript or inside one SQL statement, with the same result. */
export type RandomIds = {
  of(dedupeKey: string): bigint;
  /** SQL that computes the id of a text expression. */
  sqlOf(dedupeKey: RawBuilder<string>): RawBuilder<string>;
};

/** Random ids under a key derived from the oldest encryption key: restored backups and newer keys give the same ids. */
export function createRandomIds(config: Pick<Config, "encryptionKeys">): RandomIds {
  const oldest = config.encryptionKeys[0];
  if (oldest === undefined) throw new Error("An encryption key is needed to name messages.");
  const key = deriveKey(oldest.key, "outbox");
  const padded = Buffer.concat([key], BLOCK_BYTES);
  const pad = (byte: number) => Buffer.from(padded.map((value) => value ^ byte)).toString("hex");
  const inner = pad(0x36);
  const outer = pad(0x5c);
  return {
    of(dedupeKey) {
      const id = createHmac("sha256", key).update(dedupeKey).digest().readBigInt64BE(0);
      return id === 0n ? 1n : id;
    },
    sqlOf: (dedupeKey) =>
      sql<string>`public.outbox_random_id(decode(${inner}, 'hex'), decode(${outer}, 'hex'), ${dedupeKey})`,
  };
}
