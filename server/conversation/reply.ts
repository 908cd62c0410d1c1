import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { MESSAGE_MAX_CHARS, textLimit } from "../../domain/limits.ts";
import type { Message } from "../../domain/message.ts";
import { publishEvents } from "../core/bus.ts";
import type { Deps } from "../core/deps.ts";
import { notFound, refuse, refuseInput } from "../core/problem.ts";
import { storedResponse, fingerprintOf, keyReused, withIdempotencyKey } from "../core/request-keys.ts";
import type { DbOrTx, Tx } from "../db/index.ts";
import { checkMedia, storeMedia } from "../media/store.ts";
import type { MediaLinks } from "../media/signed-url.ts";
import { enqueueOne } from "../outbox/enqueue.ts";
import { answerOf, MESSAGE_COLUMNS, type MessageRow } from "./answer.ts";

/** A reply that could not be sent for this long fails, and the user decides again. */
const WAITS_MS = 3_600_000;

export type ReplyRequest = {
  ownerId: string;
  leadId: string;
  text: string;
  file: Uint8Array | null;
  key: string | null;
  /** the name of the API key that sends the reply, null for the user */
  byKey: string | null;
};

/**
 * Puts a reply into the outbox, with the highest priority, and into the conversation as pending. A repeated idempotency key gets the same
 * response and sends nothing.
 * @throws ProblemError 409 not connected, 413 and 415 for the file, 422 empty or too long, 429 while Telegram makes the account wait
 */
export async function sendReply(deps: Deps, links: MediaLinks, request: ReplyRequest): Promise<Message> {
  const { ownerId, leadId, text, file, key, byKey } = request;
  const fingerprint = fingerprintOf("reply", leadId, text, file ?? "");
  const before = await storedResponse<Message>(deps.db, { ownerId, key, fingerprint });
  if (before !== null) return before;
  await requireAccount(deps.db, deps, ownerId);
  if (text.trim() === "" && file === null) throw refuseInput("text", "reply_empty", null, "Empty.");
  const most = textLimit(file !== null);
  if (text.length > most) {
    const code = file === null ? "message_too_long" : "caption_too_long";
    throw refuseInput("text", code, { limit: most }, "Too long.");
  }
  const at = deps.clock.iso();
  const checked = await checkMedia(file);
  return deps.db.transaction().execute((tx) =>
    withIdempotencyKey(tx, { ownerId, key, fingerprint, at }, async () => {
      const { telegram_user_id: account } = await requireAccount(tx, deps, ownerId);
      const mediaId = await storeMedia(tx, deps, ownerId, checked);
      const row = await enqueueOne(tx, deps, {
        kind: "reply",
        ownerId,
        leadId,
        body: text,
        mediaId,
        byKey,
        request: key ?? randomUUID(),
        expiresAt: new Date(deps.clock.now() + WAITS_MS).toISOString(),
      });
      if (!row.isNew) return sameReply(tx, links, { outboxId: row.id, text, hasFile: file !== null });
      const message = await addPending(tx, { ownerId, leadId, account, outboxId: row.id, text, mediaId, at });
      const data = { lead_id: leadId, id: message.id };
      await publishEvents(deps.bus, ownerId, [{ type: "message.changed", data }, { type: "inbox.changed" }], tx);
      return answerOf(message, links);
    }),
  );
}

/**
 * Returns the message of an idempotency key that was already deleted, whatever its state.
 * @throws ProblemError 422 when the key was used for other content
 */
async function sameReply(
  tx: Tx,
  links: MediaLinks,
  expected: { outboxId: string; text: string; hasFile: boolean },
): Promise<Message> {
  const { rows } = await sql<MessageRow>`
    select ${sql.raw(MESSAGE_COLUMNS)} from messages m where m.outbox_id = ${expected.outboxId}::bigint`.execute(tx);
  const row = rows[0];
  if (row === undefined || row.text !== expected.text || (row.media !== null) !== expected.hasFile) throw keyReused();
  return answerOf(row, links);
}

async function requireAccount(db: DbOrTx, deps: Deps, ownerId: string): Promise<{ telegram_user_id: string }> {
  const account = await db
    .selectFrom("telegram_sessions")
    .select(["telegram_user_id", "paused_until"])
    .where("user_id", "=", ownerId)
    .where("state", "=", "connected")
    .executeTakeFirst();
  if (account === undefined) throw refuse(409, "not_connected", { reason: "send" });
  const left = account.paused_until === null ? 0 : Date.parse(account.paused_until) - deps.clock.now();
  if (left > 0) throw refuse(429, "account_waits", null, { retryAfterSeconds: left / 1000 });
  return account;
}

/** Adds the pending message to the conversation. Deletes a draft with the same text. */
async function addPending(
  tx: Tx,
  reply: {
    ownerId: string;
    leadId: string;
    account: string;
    outboxId: string;
    text: string;
    mediaId: string | null;
    at: string;
  },
): Promise<MessageRow> {
  const { ownerId, leadId, account, outboxId, text, mediaId, at } = reply;
  const { rows } = await sql<MessageRow>`
    with m as (
      insert into messages (owner_id, account_user_id, peer_user_id, is_outgoing, text, sent_at, kind, source, state, outbox_id, media_id, media)
      select l.owner_id, ${account}::bigint, l.telegram_user_id, true, ${text}, ${at}::timestamptz,
        case f.kind when 'image' then 'photo' when 'video' then 'video' else 'text' end, 'reply', 'pending', ${outboxId}::bigint, f.id,
        case when f.id is not null then jsonb_build_object('mime', f.mime, 'size', f.size) end
      from leads l left join media f on f.id = ${mediaId}::uuid
      where l.id = ${leadId}::uuid and l.owner_id = ${ownerId}::uuid
      on conflict (outbox_id) where outbox_id is not null do update set outbox_id = excluded.outbox_id
      returning *
    ), emptied as (
      update leads set draft = null where id = ${leadId}::uuid and owner_id = ${ownerId}::uuid and draft = left(${text}, ${MESSAGE_MAX_CHARS})
    )
    select ${sql.raw(MESSAGE_COLUMNS)} from m`.execute(tx);
  const row = rows[0];
  if (row === undefined) throw notFound();
  return row;
}
