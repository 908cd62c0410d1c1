import { hash } from "node:crypto";
import { sql, type RawBuilder } from "kysely";
import type { Config } from "../core/config.ts";
import { deriveKey } from "../core/vault.ts";
import type { DbOrTx } from "../db/index.ts";

/** The unique name of each message that may ever be sent; random ids derive from it. A step's name includes the stage entry. */
export const nameOf = {
  reply: (leadId: string, request: string) => `reply:${leadId}:${request}`,
  /** by a click: the attempt number of the step */
  click: (step: { leadId: string; followupId: string; epoch: number }, tries: number) =>
    `manual:${step.leadId}:${step.followupId}:${step.epoch}:${tries}`,
  /** by an idempotency key, whatever the lead's next step is when the request is repeated */
  request: (leadId: string, key: string) => `manual:${leadId}:key:${key}`,
  reminder: (reminderId: string, leadId: string, epoch: number) => `reminder:${reminderId}:${leadId}:${epoch}`,
  digest: (reminderId: string, run: string) => `reminder:${reminderId}:digest:${run}`,
};

type Text = RawBuilder<string>;

/** The same in SQL, for bulk inserts. `earlier` counts the step's previous rows in its stage entry. */
export const sqlNameOf = {
  followup: (step: { leadId: Text; followupId: Text; epoch: RawBuilder<number>; earlier: RawBuilder<number> }): Text =>
    sql`'followup:' || ${step.leadId} || ':' || ${step.followupId} || ':' || ${step.epoch} || coalesce(':' || nullif(${step.earlier}, 0), '')`,
  bulk: (jobId: Text, leadId: Text): Text => sql`'bulk:' || ${jobId} || ':' || ${leadId}`,
};

/** A name for outbox row `id` that frees its own for another row. */
export const freedName = sql<string>`'cancelled:' || id || ':' || dedupe_key`;

/** Telegram's random id for a message's name, in SQL. Telegram delivers one message per id, however often it is requested. */
export const randomIdOf = (name: Text): RawBuilder<string> =>
  sql`public.random_id_of((select inner_pad from outbox_key), (select outer_pad from outbox_key), ${name})`;

/**
 * Makes sure that the key for random ids exists. New databases create it. Older ones get the key that named their messages so far, derived
 * from the oldest encryption key; it stays the same when those keys are rotated.
 */
export async function keepOutboxKey(db: DbOrTx, config: Pick<Config, "encryptionKeys">): Promise<void> {
  const oldest = config.encryptionKeys[0];
  if (oldest === undefined) throw new Error("An encryption key is needed to name messages.");
  await sql`select public.keep_outbox_key(${deriveKey(oldest.key, "outbox")}::bytea)`.execute(db);
}

/** The two halves of the HMAC key for random ids. */
export type OutboxKey = { inner_pad: Uint8Array; outer_pad: Uint8Array };

/**
 * Returns an unplanned follow-up's position in an opening's spread, from 0 up to 1, from the id that its row will have.
 * @param earlier the step's previous rows in its stage entry
 */
export const followupSpread = (
  key: OutboxKey,
  { leadId, followupId, epoch }: { leadId: string; followupId: string; epoch: number },
  earlier: number,
): number => spreadOfName(key, `followup:${leadId}:${followupId}:${epoch}${earlier === 0 ? "" : `:${earlier}`}`);

/** The same for a reminder about one lead. */
export const reminderSpread = (
  key: OutboxKey,
  { reminderId, leadId, epoch }: { reminderId: string; leadId: string; epoch: number },
): number => spreadOfName(key, nameOf.reminder(reminderId, leadId, epoch));

function spreadOfName(key: OutboxKey, name: string): number {
  const inner = hash("sha256", Buffer.concat([key.inner_pad, Buffer.from(name)]), "buffer");
  const id = hash("sha256", Buffer.concat([key.outer_pad, inner]), "buffer").readBigInt64BE(0);
  return spreadOfId(id === 0n ? 1n : id);
}

/** A message's position in an opening's spread, from 0 up to 1; always the same for an id. */
export const spreadOfId = (randomId: string | bigint): number => Number(BigInt(randomId) & 0xffffn) / 0x1_0000;
