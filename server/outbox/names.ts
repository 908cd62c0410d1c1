import { hash } from "node:crypto";
import { sql, type RawBuilder } from "kysely";
import type { Config } from "../core/config.ts";
import { deriveKey } from "../core/vault.ts";
import type { DbOrTx } from "../db/index.ts";

/** Names each message that may ever be sent, so that no two share an id. The stage entry is part of a step's name. */
export const nameOf = {
  reply: (leadId: string, request: string) => `reply:${leadId}:${request}`,
  /** by a click: the how-manieth try of the step */
  click: (step: { leadId: string; followupId: string; epoch: number }, tries: number) =>
    `manual:${step.leadId}:${step.followupId}:${step.epoch}:${tries}`,
  /** by a caller's own key, whatever the lead's next step is when it comes again */
  request: (leadId: string, key: string) => `manual:${leadId}:key:${key}`,
  reminder: (reminderId: string, leadId: string, epoch: number) => `reminder:${reminderId}:${leadId}:${epoch}`,
  digest: (reminderId: string, run: string) => `reminder:${reminderId}:digest:${run}`,
};

type Text = RawBuilder<string>;

/** The same in SQL, for what is named by the thousand. `earlier` counts the rows that the step had before in its stage entry. */
export const sqlNameOf = {
  followup: (step: { leadId: Text; followupId: Text; epoch: RawBuilder<number>; earlier: RawBuilder<number> }): Text =>
    sql`'followup:' || ${step.leadId} || ':' || ${step.followupId} || ':' || ${step.epoch} || coalesce(':' || nullif(${step.earlier}, 0), '')`,
  bulk: (jobId: Text, leadId: Text): Text => sql`'bulk:' || ${jobId} || ':' || ${leadId}`,
};

/** Telegram's random id of a message by its name, computed in SQL: Telegram delivers one message per id, however often it is asked. */
export const randomIdOf = (name: Text): RawBuilder<string> =>
  sql`public.random_id_of((select inner_pad from outbox_key), (select outer_pad from outbox_key), ${name})`;

/**
 * Sees to it that random ids have their key. It is made with the database; one from before that is given the key that named its messages
 * so far, derived from the oldest encryption key, and keeps it however those keys are rotated.
 */
export async function keepOutboxKey(db: DbOrTx, config: Pick<Config, "encryptionKeys">): Promise<void> {
  const oldest = config.encryptionKeys[0];
  if (oldest === undefined) throw new Error("An encryption key is needed to name messages.");
  await sql`select public.keep_outbox_key(${deriveKey(oldest.key, "outbox")}::bytea)`.execute(db);
}

/** The halves of the key that messages are named with. */
export type OutboxKey = { inner_pad: Uint8Array; outer_pad: Uint8Array };

/**
 * Where a follow-up that is not planned yet will stand in an opening's spread, from 0 up to 1: by the very id that its row will have.
 * @param earlier how many rows the step had before in its stage entry
 */
export const followupSpread = (
  key: OutboxKey,
  { leadId, followupId, epoch }: { leadId: string; followupId: string; epoch: number },
  earlier: number,
): number => spreadOfName(key, `followup:${leadId}:${followupId}:${epoch}${earlier === 0 ? "" : `:${earlier}`}`);

/** The same for a reminder of one lead. */
export const reminderSpread = (
  key: OutboxKey,
  { reminderId, leadId, epoch }: { reminderId: string; leadId: string; epoch: number },
): number => spreadOfName(key, nameOf.reminder(reminderId, leadId, epoch));

function spreadOfName(key: OutboxKey, name: string): number {
  const inner = hash("sha256", Buffer.concat([key.inner_pad, Buffer.from(name)]), "buffer");
  const id = hash("sha256", Buffer.concat([key.outer_pad, inner]), "buffer").readBigInt64BE(0);
  return spreadOfId(id === 0n ? 1n : id);
}

/** Where a message stands in an opening's spread, from 0 up to 1: the same at every look. */
export const spreadOfId = (randomId: string | bigint): number => Number(BigInt(randomId) & 0xffffn) / 0x1_0000;
