import { sql, type RawBuilder } from "kysely";
import type { Deps } from "../core/deps.ts";
import { placeOfKeyword } from "../../domain/keyword-place.ts";
import { readKeyword } from "../../domain/keyword.ts";
import type { StageMatch } from "../../domain/keywords.ts";
import type { MatchedKeyword } from "../../domain/message.ts";
import { PEER_NOT_KNOWN } from "../../domain/send-outcome.ts";
import { isOptOut } from "../../domain/keyword-text.ts";
import { OPT_OUT_WORDS } from "../../domain/settings.ts";
import { publishEvents } from "../core/bus.ts";
import { HOT_STATEMENT, type Tx } from "../db/index.ts";
import type { CompiledRules, StageRules } from "../stages/rules.ts";
import type { EditedMessage, ReadMark, TelegramMessage } from "../../domain/telegram-message.ts";
import { answeredAt, readUpTo } from "../lead-rows/conversation-state.ts";
import { optOut, withoutContacts } from "./opt-out.ts";
import { moveLead } from "./stage-move.ts";

export type Intake = {
  /** Stores messages in order and creates or updates their leads; a known message changes nothing. */
  record(ownerId: string, messages: readonly TelegramMessage[]): Promise<void>;
  /** Stores a message's new text and file; keywords are not matched again. */
  recordEdit(ownerId: string, edit: EditedMessage): Promise<void>;
  recordDeletions(
    ownerId: string,
    deletion: { accountUserId: string; messageIds: readonly number[]; deletedAt: string },
  ): Promise<void>;
  /**
   * Stores an existing chat found by an import, oldest message first; sends nothing. A chat with an incoming message becomes a lead with
   * the dates of that time; an existing lead gets its earlier messages and keeps its stage.
   * @returns whether the chat belongs to a lead
   */
  recordChat(ownerId: string, chat: { messages: readonly TelegramMessage[]; readUpTo: number }): Promise<boolean>;
  /** Marks as read here what the user read on another device. */
  recordRead(ownerId: string, mark: ReadMark): Promise<void>;
};

/** Telegram's own account, which sends login codes. */
const SERVICE_ACCOUNT = "777000";
const FOREIGN_KEY_VIOLATION = "23503";

/** True for a message exchanged with a real person; only these create leads. */
function concernsLead({ peer }: TelegramMessage): boolean {
  return !peer.isBot && !peer.isSelf && !peer.isDeleted && peer.id !== SERVICE_ACCOUNT;
}

/** Creates the intake, which applies a connected account's messages to leads. */
export function createIntake({ db, bus, clock }: Pick<Deps, "db" | "bus" | "clock">, rules: StageRules): Intake {
  const store = async (ownerId: string, messages: readonly TelegramMessage[]) => {
    const compiled = await rules.of(ownerId);
    await db.transaction().execute(async (tx) => {
      const added: Recorded[] = [];
      const wanted = await withoutContacts(tx, ownerId, await lockPeople(tx, ownerId, messages));
      for (const message of wanted) {
        const recorded = message.isOutgoing
          ? await recordOutgoing(tx, ownerId, message)
          : await recordInbound(tx, ownerId, message, compiled);
        if (recorded !== null) added.push(recorded);
      }
      await publishRecorded(bus, ownerId, added, tx);
    });
  };
  return {
    async record(ownerId, messages) {
      const relevant = messages.filter(concernsLead);
      if (relevant.length === 0) return;
      try {
        await store(ownerId, relevant);
      } catch (error) {
        // A stage of the compiled rules was deleted in the meantime; read the rules again, once.
        if ((error as { code?: unknown }).code !== FOREIGN_KEY_VIOLATION) throw error;
        rules.forget(ownerId);
        await store(ownerId, relevant);
      }
    },
    recordEdit: (ownerId, edit) =>
      db.transaction().execute(async (tx) => {
        const known = await tx
          .selectFrom("messages")
          .select(["id", "matched"])
          .where("owner_id", "=", ownerId)
          .where("account_user_id", "=", edit.accountUserId)
          .where("message_id", "=", edit.messageId)
          .where(({ not, exists, selectFrom }) =>
            not(
              exists(
                selectFrom("exclusions as e")
                  .select("e.owner_id")
                  .where("e.owner_id", "=", ownerId)
                  .whereRef("e.telegram_user_id", "=", "messages.peer_user_id"),
              ),
            ),
          )
          .forUpdate()
          .executeTakeFirst();
        if (known === undefined) return;
        const matched =
          known.matched === null ? null : locateKeyword(edit.text, known.matched.keyword, known.matched.stage_id);
        await tx
          .updateTable("messages")
          .set({
            text: edit.text,
            edited_at: edit.editedAt,
            kind: edit.kind,
            media: asJson(edit.media),
            // An edit may replace the picture, so the uploaded file may be outdated.
            media_id: null,
            preview: edit.preview,
            matched: asJson(matched),
          })
          .where("id", "=", known.id)
          .execute();
        await tx.deleteFrom("file_parts").where("message_id", "=", known.id).execute();
        await publishRecorded(bus, ownerId, await leadsOf(tx, ownerId, [known.id]), tx);
      }),
    recordDeletions: (ownerId, deletion) =>
      db.transaction().execute(async (tx) => {
        const rows = await tx
          .updateTable("messages")
          .set({ deleted_at: deletion.deletedAt, text: "", media: null, preview: null, matched: null })
          .where("owner_id", "=", ownerId)
          .where("account_user_id", "=", deletion.accountUserId)
          .where("message_id", "in", [...deletion.messageIds])
          .returning("id")
          .execute();
        const ids = rows.map(({ id }) => id);
        if (ids.length === 0) return;
        await tx.deleteFrom("file_parts").where("message_id", "in", ids).execute();
        await publishRecorded(bus, ownerId, await leadsOf(tx, ownerId, ids), tx);
      }),
    async recordChat(ownerId, { messages, readUpTo: readNumber }) {
      const relevant = messages.filter(concernsLead);
      const [first] = relevant;
      const firstWord = relevant.find(({ isOutgoing }) => !isOutgoing);
      if (first === undefined || firstWord === undefined) return false;
      const compiled = await rules.of(ownerId);
      return db.transaction().execute(async (tx) => {
        if ((await lockPeople(tx, ownerId, [first])).length === 0) return false;
        const known = await findLead(tx, ownerId, first.peer.id);
        await tellSince(tx, newsSince(ownerId, clock));
        const added: Recorded[] = [];
        for (const message of relevant) {
          const recorded = message.isOutgoing
            ? await recordOutgoing(tx, ownerId, message, false)
            : await recordInbound(tx, ownerId, message, compiled, known === undefined);
          if (recorded !== null) added.push(recorded);
        }
        const lead = known ?? (await findLead(tx, ownerId, first.peer.id));
        if (lead === undefined) return true;
        await sql`update leads set created_at = least(created_at, ${firstWord.date}::timestamptz)
          ${known === undefined ? sql`, imported_at = ${clock.iso()}::timestamptz` : sql``}
          where id = ${lead.id}::uuid`.execute(tx);
        const read = relevant.findLast(({ messageId }) => messageId <= readNumber);
        const to = read === undefined ? null : { at: read.date, messageId: read.messageId };
        if (to !== null) await readUpTo(tx, ownerId, sql<boolean>`l.id = ${lead.id}::uuid`, to);
        if (added.length > 0) await publishChat(bus, ownerId, lead.id, tx);
        return true;
      });
    },
    recordRead: (ownerId, mark) =>
      db.transaction().execute(async (tx) => {
        const { rows } = await sql<{ sent_at: string; message_id: number }>`
          select sent_at, message_id from messages where owner_id = ${ownerId}::uuid and peer_user_id = ${mark.peerId}::bigint
            and account_user_id = ${mark.accountUserId}::bigint and message_id <= ${mark.messageId}::int
          order by sent_at desc, coalesce(message_id, 2147483647) desc limit 1`.execute(tx);
        const last = rows[0];
        if (last === undefined) return;
        const lead = sql<boolean>`l.telegram_user_id = ${mark.peerId}::bigint`;
        const read = await readUpTo(tx, ownerId, lead, { at: last.sent_at, messageId: last.message_id });
        if (read?.hasChanged) await publishEvents(bus, ownerId, [{ type: "inbox.changed" }], tx);
      }),
  };
}

const hot = sql.raw(HOT_STATEMENT);

/**
 * Locks leads before their messages, because a send records its message at the same time.
 * @returns the messages of people who are not excluded
 */
async function lockPeople(
  tx: Tx,
  ownerId: string,
  messages: readonly TelegramMessage[],
): Promise<readonly TelegramMessage[]> {
  const people = [...new Set(messages.map(({ peer }) => peer.id))];
  const { rows } = await sql<{ id: string }>`${hot}
    select id from lock_people(${ownerId}::uuid, ${people}::bigint[]) as id`.execute(tx);
  if (rows.length === 0) return messages;
  const excluded = new Set(rows.map(({ id }) => id));
  return messages.filter(({ peer }) => !excluded.has(peer.id));
}

/** A message that was stored or changed, and its lead. */
type Recorded = { leadId: string; id: string };

const asJson = (value: object | null): string | null => (value === null ? null : JSON.stringify(value));

/** Publishes events for each message, each lead once, and the inbox. */
async function publishRecorded(
  bus: Deps["bus"],
  ownerId: string,
  messages: readonly Recorded[],
  tx: Tx,
): Promise<void> {
  if (messages.length === 0) return;
  const leads = [...new Set(messages.map(({ leadId }) => leadId))];
  await publishEvents(
    bus,
    ownerId,
    [
      ...leads.map((id) => ({ type: "lead.changed" as const, data: { id } })),
      ...messages.map(({ leadId, id }) => ({ type: "message.changed" as const, data: { lead_id: leadId, id } })),
      { type: "inbox.changed" },
    ],
    tx,
  );
}

/** After a whole chat is stored, publishes one event instead of one per message. */
const publishChat = (bus: Deps["bus"], ownerId: string, leadId: string, tx: Tx) =>
  publishEvents(
    bus,
    ownerId,
    [
      { type: "lead.changed", data: { id: leadId } },
      { type: "message.changed", data: { lead_id: leadId } },
      { type: "inbox.changed" },
    ],
    tx,
  );

const findLead = (tx: Tx, ownerId: string, peerId: string) =>
  tx
    .selectFrom("leads")
    .select("id")
    .where("owner_id", "=", ownerId)
    .where("telegram_user_id", "=", peerId)
    .executeTakeFirst();

async function leadsOf(tx: Tx, ownerId: string, messageIds: readonly string[]): Promise<Recorded[]> {
  const { rows } = await sql<Recorded>`
    select l.id as "leadId", m.id from messages m join leads l on l.owner_id = m.owner_id and l.telegram_user_id = m.peer_user_id
    where m.owner_id = ${ownerId}::uuid and m.id = any(${messageIds}::bigint[])`.execute(tx);
  return rows;
}

/** A stage's keyword and its position in the text; null if it is not there. */
function locateKeyword(text: string, keyword: string, stageId: string): MatchedKeyword | null {
  const place = placeOfKeyword(text, keyword);
  return place === null ? null : { keyword: readKeyword(keyword).text, ...place, stage_id: stageId };
}

/** Inserts the message unless it is known. All other writes depend on this row being new. */
const newMessage = (ownerId: string, message: TelegramMessage, matched: MatchedKeyword | null) => sql`
  insert into messages (owner_id, account_user_id, peer_user_id, message_id, is_outgoing, text, sent_at, kind, source, state, media, preview, matched)
  values (${ownerId}, ${message.accountUserId}, ${message.peer.id}, ${message.messageId}, ${message.isOutgoing}, ${message.text},
    ${message.date}, ${message.kind}, ${message.isOutgoing ? "telegram" : "them"}, ${message.isOutgoing ? "sent" : "received"},
    ${asJson(message.media)}::jsonb, ${message.preview}::bytea, ${asJson(matched)}::jsonb)
  on conflict on constraint messages_key do nothing returning id`;

async function recordInbound(
  tx: Tx,
  ownerId: string,
  message: TelegramMessage,
  rules: CompiledRules,
  isNews = true,
): Promise<Recorded | null> {
  const match = rules.matcher.match(message.text);
  const matched = match === null ? null : locateKeyword(message.text, match.keyword, match.stageId);
  type Lead = {
    id: string;
    stage_id: string | null;
    is_new: boolean;
    message_id: string;
    opt_out_words: string[] | null;
  };
  // Imported messages from before the conversation was marked as done do not make the lead wait again.
  const isUnanswered = sql`(l.last_outbound_at is null or excluded.last_inbound_at >= l.last_outbound_at)
          ${isNews ? sql`` : sql`and (l.done_at is null or excluded.last_inbound_at > l.done_at)`}`;
  // An imported message older than the last known one proves only that the address is known, not that the lead accepts messages again.
  const unreachable = isNews
    ? sql`null`
    : sql`case when l.unreachable_reason <> ${PEER_NOT_KNOWN} and l.last_inbound_at >= excluded.last_inbound_at then l.unreachable_reason end`;
  const { rows } = await sql<Lead>`${hot}
    with fresh as (${newMessage(ownerId, message, matched)}),
    lead as (
      insert into leads as l (owner_id, telegram_user_id, name, username, stage_id, created_at, stage_entered_at,
        last_user_message_at, last_message_at, last_inbound_at, waiting_since, unread)
      select ${ownerId}::uuid, ${message.peer.id}::bigint, ${message.peer.name}::text, ${message.peer.username}::text, ${rules.firstStageId}::uuid,
        m.at, m.at, m.at, m.at, m.at, m.at, 1 from fresh, (select ${message.date}::timestamptz as at) m
      on conflict on constraint leads_person_key do update set name = excluded.name, username = excluded.username,
        last_user_message_at = greatest(l.last_user_message_at, excluded.last_user_message_at),
        last_message_at = greatest(l.last_message_at, excluded.last_message_at),
        last_inbound_at = greatest(l.last_inbound_at, excluded.last_inbound_at),
        unreachable_reason = ${unreachable},
        waiting_since = case when ${isUnanswered} then least(l.waiting_since, excluded.last_inbound_at) else l.waiting_since end,
        done_at = case when ${isUnanswered} then null else l.done_at end,
        unread = l.unread + case when l.read_at is null or excluded.last_inbound_at > l.read_at
          or (excluded.last_inbound_at = l.read_at and ${message.messageId}::int > coalesce(l.read_message_id, 0)) then 1 else 0 end
      returning id, stage_id, (xmax = 0) as is_new, created_at
    ),
    entered as (
      insert into stage_history (owner_id, lead_id, from_stage_id, to_stage_id, reason, message_id, rules_version, epoch, at)
      select ${ownerId}::uuid, id, null, stage_id, 'entered', ${message.messageId}::int, ${rules.version}::int, 1, created_at from lead where is_new
    )
    select lead.id, stage_id, is_new, fresh.id as message_id,
      (select opt_out_words from user_settings where user_id = ${ownerId}::uuid) as opt_out_words
    from lead, fresh`.execute(tx);
  const lead = rows[0];
  if (lead === undefined) return null;
  // A new lead always enters the first stage; its keywords count from the next message on.
  if (lead.is_new && matched !== null) await forgetMatch(tx, ownerId, lead.message_id);
  if (!lead.is_new && match !== null && isNews)
    await moveByKeywords(tx, ownerId, { id: lead.id, stageId: lead.stage_id }, message, { match, rules });
  if (isNews && isOptOut(message.text, lead.opt_out_words ?? OPT_OUT_WORDS))
    await optOut(tx, { ownerId, leadId: lead.id, at: message.date, messageId: message.messageId });
  return { leadId: lead.id, id: lead.message_id };
}

const forgetMatch = (tx: Tx, ownerId: string, messageId: string) =>
  tx
    .updateTable("messages")
    .set({ matched: null })
    .where("id", "=", messageId)
    .where("owner_id", "=", ownerId)
    .execute();

/** Automation only moves forward: a keyword of an earlier stage or of the current one changes nothing. */
async function moveByKeywords(
  tx: Tx,
  ownerId: string,
  lead: { id: string; stageId: string | null },
  message: TelegramMessage,
  { match, rules }: { match: StageMatch; rules: CompiledRules },
): Promise<void> {
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

/**
 * Records an outgoing message from an update. One written on another device is a new anchor for follow-ups. One that the outbox is sending,
 * which Telegram reported before the send was settled, is not. Neither creates a lead.
 */
async function recordOutgoing(
  tx: Tx,
  ownerId: string,
  message: TelegramMessage,
  isNews = true,
): Promise<Recorded | null> {
  const isFromOtherDevice = !(await isBeingSent(tx, ownerId, message));
  // Webhooks get it when its send is recorded, with its real source.
  if (isNews && !isFromOtherDevice) await tellSince(tx, sql`'infinity'`);
  const { rows } = await sql<Recorded>`
    with fresh as (${newMessage(ownerId, message, null)}), m as (select id, ${message.date}::timestamptz as at from fresh)
    update leads l set last_message_at = greatest(l.last_message_at, m.at), last_outbound_at = greatest(l.last_outbound_at, m.at),
      ${isFromOtherDevice ? sql`last_manual_at = greatest(l.last_manual_at, m.at),` : sql``}
      ${answeredAt({ at: sql`m.at`, messageId: sql`${message.messageId}::int` }, isFromOtherDevice)}
    from m where l.owner_id = ${ownerId}::uuid and l.telegram_user_id = ${message.peer.id}::bigint
    returning l.id as "leadId", m.id`.execute(tx);
  if (isNews && !isFromOtherDevice) await tellSince(tx, sql`''`);
  return rows[0] ?? null;
}

/** From now on in this transaction, webhooks get no added message that is older than this. */
const tellSince = (tx: Tx, since: RawBuilder<unknown>) =>
  sql`select set_config('leadloom.told_since', (${since})::text, true)`.execute(tx);

/** Webhooks get no messages from before the account was connected, nor imported ones older than this. */
const NEWS_MS = 600_000;
const newsSince = (ownerId: string, clock: Deps["clock"]) =>
  sql`select greatest(${new Date(clock.now() - NEWS_MS).toISOString()}::timestamptz,
    (select connected_at from telegram_sessions where user_id = ${ownerId}::uuid and state = 'connected'))`;

/** Telegram trims whitespace around a text. */
const bare = (text: RawBuilder<string>) => sql`btrim(${text}, E' \\t\\r\\n')`;

async function isBeingSent(tx: Tx, ownerId: string, message: TelegramMessage): Promise<boolean> {
  const { rows } = await sql`
    select from leads l join outbox o on o.lead_id = l.id left join bulk_jobs j on j.id = o.job_id
    where l.owner_id = ${ownerId}::uuid and l.telegram_user_id = ${message.peer.id}::bigint and o.kind <> 'reminder'
      and o.account_user_id = ${message.accountUserId}::bigint and (o.state = 'sending' or (o.state = 'pending' and o.is_uncertain))
      and ${bare(sql`coalesce(o.body, j.message, '')`)} = ${bare(sql`${message.text}::text`)} limit 1`.execute(tx);
  return rows.length > 0;
}
