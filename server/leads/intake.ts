import { sql } from "kysely";
import type { Deps } from "../core/deps.ts";
import { publishEvent } from "../core/bus.ts";
import type { Tx } from "../db/index.ts";
import type { CompiledRules, StageRules } from "../stages/index.ts";
import type { TelegramMessage } from "../telegram/index.ts";
import { moveLead } from "./stage-move.ts";

export type Intake = {
  /** Stores messages in their order and turns them into leads; a message seen before changes nothing. */
  record(ownerId: string, messages: readonly TelegramMessage[]): Promise<void>;
  /** Stores the new text of a message; keywords are not matched again. */
  recordEdit(
    ownerId: string,
    edit: { accountUserId: string; messageId: number; text: string; editedAt: string },
  ): Promise<void>;
  /** Marks messages as deleted. */
  recordDeletions(
    ownerId: string,
    deletion: { accountUserId: string; messageIds: readonly number[]; deletedAt: string },
  ): Promise<void>;
};

/** Telegram's own account, which sends login codes. */
const SERVICE_ACCOUNT = "777000";
const FOREIGN_KEY_VIOLATION = "23503";

/** True for a message between the account and a living human being: only those make leads. */
export function concernsLead({ peer }: TelegramMessage): boolean {
  return !peer.isBot && !peer.isSelf && !peer.isDeleted && peer.id !== SERVICE_ACCOUNT;
}

/** Builds the intake: what a connected account's messages do to leads. */
export function createIntake({ db, bus }: Pick<Deps, "db" | "bus">, rules: StageRules): Intake {
  const store = async (ownerId: string, messages: readonly TelegramMessage[]) => {
    const compiled = await rules.of(ownerId);
    await db.transaction().execute(async (tx) => {
      const changed = new Set<string>();
      for (const message of messages) {
        const leadId = message.isOutgoing
          ? await recordOutgoing(tx, ownerId, message)
          : await recordInbound(tx, ownerId, message, compiled);
        if (leadId !== null) changed.add(leadId);
      }
      for (const id of changed) await publishEvent(bus, ownerId, "lead.changed", { id }, tx);
    });
  };
  return {
    async record(ownerId, messages) {
      const relevant = messages.filter(concernsLead);
      if (relevant.length === 0) return;
      try {
        await store(ownerId, relevant);
      } catch (error) {
        // The stage that the compiled rules name was deleted in between: read the rules again, once.
        if ((error as { code?: unknown }).code !== FOREIGN_KEY_VIOLATION) throw error;
        rules.forget(ownerId);
        await store(ownerId, relevant);
      }
    },
    async recordEdit(ownerId, edit) {
      await db
        .updateTable("messages")
        .set({ text: edit.text, edited_at: edit.editedAt })
        .where("owner_id", "=", ownerId)
        .where("account_user_id", "=", edit.accountUserId)
        .where("message_id", "=", edit.messageId)
        .execute();
    },
    async recordDeletions(ownerId, deletion) {
      await db
        .updateTable("messages")
        .set({ deleted_at: deletion.deletedAt, text: "" })
        .where("owner_id", "=", ownerId)
        .where("account_user_id", "=", deletion.accountUserId)
        .where("message_id", "in", [...deletion.messageIds])
        .execute();
    },
  };
}

/** Adds the message unless it is known; everything else hangs on that one row being new. */
const newMessage = (ownerId: string, message: TelegramMessage) => sql`
  insert into messages (owner_id, account_user_id, peer_user_id, message_id, is_outgoing, text, media_type, sent_at)
  values (${ownerId}, ${message.accountUserId}, ${message.peer.id}, ${message.messageId}, ${message.isOutgoing}, ${message.text},
    ${message.mediaType}, ${message.date})
  on conflict on constraint messages_key do nothing returning id`;

async function recordInbound(
  tx: Tx,
  ownerId: string,
  message: TelegramMessage,
  rules: CompiledRules,
): Promise<string | null> {
  const { rows } = await sql<{ id: string; stage_id: string | null; is_new: boolean }>`
    with fresh as (${newMessage(ownerId, message)}),
    lead as (
      insert into leads as l (owner_id, telegram_user_id, name, username, stage_id, created_at, stage_entered_at,
        last_user_message_at, last_message_at, last_inbound_at)
      select ${ownerId}::uuid, ${message.peer.id}::bigint, ${message.peer.name}::text, ${message.peer.username}::text, ${rules.firstStageId}::uuid,
        m.at, m.at, m.at, m.at, m.at from fresh, (select ${message.date}::timestamptz as at) m
      on conflict on constraint leads_person_key do update set name = excluded.name, username = excluded.username,
        last_user_message_at = greatest(l.last_user_message_at, excluded.last_user_message_at),
        last_message_at = greatest(l.last_message_at, excluded.last_message_at),
        last_inbound_at = greatest(l.last_inbound_at, excluded.last_inbound_at),
        unreachable_reason = null
      returning id, stage_id, (xmax = 0) as is_new, created_at
    ),
    entered as (
      insert into stage_history (owner_id, lead_id, from_stage_id, to_stage_id, reason, message_id, rules_version, epoch, at)
      select ${ownerId}::uuid, id, null, stage_id, 'entered', ${message.messageId}::int, ${rules.version}::int, 1, created_at from lead where is_new
    )
    select id, stage_id, is_new from lead`.execute(tx);
  const lead = rows[0];
  if (lead === undefined) return null;
  // A new lead enters the first stage whatever it wrote; its words count from the next message on.
  if (!lead.is_new) await moveByWords(tx, ownerId, { id: lead.id, stageId: lead.stage_id }, message, rules);
  return lead.id;
}

/** Automation moves forward only: a keyword of an earlier stage, or of the present one, changes nothing. */
async function moveByWords(
  tx: Tx,
  ownerId: string,
  lead: { id: string; stageId: string | null },
  message: TelegramMessage,
  rules: CompiledRules,
): Promise<void> {
  const match = rules.matcher.match(message.text);
  if (match === null) return;
  const current = lead.stageId === null ? 0 : (rules.orderOf.get(lead.stageId) ?? 0);
  if (match.order <= current) return;
  await moveLead(tx, {
    ownerId,
    leadId: lead.id,
    toStageId: match.stageId,
    at: message.date,
    by: { reason: "keyword", keyword: match.keyword, messageId: message.messageId, rulesVersion: rules.version },
  });
}

/** A message that the seller wrote by hand on a phone: it never makes a lead, and it is a new anchor for follow-ups. */
async function recordOutgoing(tx: Tx, ownerId: string, message: TelegramMessage): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    with fresh as (${newMessage(ownerId, message)}), m as (select ${message.date}::timestamptz as at from fresh)
    update leads l set last_message_at = greatest(l.last_message_at, m.at), last_outbound_at = greatest(l.last_outbound_at, m.at),
      last_manual_at = greatest(l.last_manual_at, m.at)
    from m where l.owner_id = ${ownerId}::uuid and l.telegram_user_id = ${message.peer.id}::bigint
    returning l.id`.execute(tx);
  return rows[0]?.id ?? null;
}
