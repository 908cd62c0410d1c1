import { sql, type Insertable } from "kysely";
import type { Deps } from "../../server/core/deps.ts";
import type { Database } from "../../server/db/index.ts";
import { eraseKeys } from "../../server/telegram/sessions.ts";
import { addRow } from "./rows.ts";

let telegramUsers = 5_000_000;
const EXPORTED_ONCE =
  "users user_settings subscriptions api_keys webhooks stages followups deleted_followups leads stage_history messages lead_events " +
  "chat_imports snippets tags lead_tags views exclusions reminders bulk_jobs outbox ledger media";

const ownedRows =
  (db: Deps["db"], owner_id: string) =>
  <T extends OwnedTable>(table: T, values: Omit<Insertable<Database[T]>, "owner_id">) =>
    addRow(db, table, { owner_id, ...values } as unknown as Insertable<Database[T]>);
type OwnedTable = { [T in keyof Database]: "owner_id" extends keyof Database[T] ? T : never }[keyof Database];

/**
 * Gives a user at least one row in every table that can hold one, marked with `mark`.
 * @param options.isConnected false: without a Telegram account, which a running worker would try to connect
 * @param options.hasSubscription true: the user already has a subscription
 * @returns how many rows an export must hold, by table
 */
export async function fillAccount(
  { db, clock }: Pick<Deps, "db" | "clock">,
  userId: string,
  mark: string,
  { isConnected = true, hasSubscription = false } = {},
): Promise<Record<string, number>> {
  const at = clock.iso();
  const self = (telegramUsers += 2);
  const add = ownedRows(db, userId);
  const stage = await add("stages", { name: `${mark} stage`, order: 1, keywords: [mark] });
  const media = await add("media", {
    sha256: `${mark} hash`,
    kind: "image",
    extension: "png",
    mime: "image/png",
    size: 1,
  });
  await addRow(db, "media_blobs", { media_id: media.id, content: Buffer.from(`${mark} picture`) });
  const followup = await add("followups", {
    stage_id: stage.id,
    message: `${mark} follow-up`,
    followup_order: 0,
    media_id: media.id,
  });
  await addRow(db, "deleted_followups", {
    id: crypto.randomUUID(),
    owner_id: userId,
    stage_id: stage.id,
    media_id: media.id,
    step: JSON.stringify({ message: `${mark} deleted follow-up` }),
    // In the future, so that the job that purges deleted leads does not delete it during a comparison.
    deleted_at: new Date(Date.parse(at) + 3_600_000).toISOString(),
  });
  const lead = await add("leads", {
    telegram_user_id: self + 1,
    name: `${mark} lead`,
    stage_id: stage.id,
    notes: `${mark} notes`,
    created_at: at,
    stage_entered_at: at,
    last_message_at: at,
    last_inbound_at: at,
    waiting_since: at,
    unread: 1,
  });
  const lead_id = lead.id;
  await add("stage_history", {
    lead_id,
    from_stage_id: null,
    to_stage_id: stage.id,
    reason: "entered",
    keyword: mark,
    message_id: 1,
    rules_version: 1,
    epoch: 1,
    at,
  });
  await add("messages", {
    account_user_id: self,
    peer_user_id: self + 1,
    message_id: 1,
    is_outgoing: false,
    text: `${mark} message`,
    sent_at: at,
  });
  const message = await db.selectFrom("messages").select("id").where("owner_id", "=", userId).executeTakeFirstOrThrow();
  await add("file_parts", { message_id: message.id, part: 0, bytes: Buffer.from(mark), size: 1, used_at: at });
  // An account filled later gets the older import, so a list that mixes owners up shows the wrong one.
  const longAgo = new Date(Date.parse(at) - (self - 5_000_000) * 60_000).toISOString();
  await add("chat_imports", {
    days: 30,
    include_contacts: true,
    since: at,
    account_user_id: self,
    created_at: longAgo,
    status: "completed",
  });
  await add("api_keys", {
    name: `${mark} key`,
    scopes: ["read"],
    hash: `${mark} ${userId}`,
    hint: "abcd",
    created_at: at,
    last_used_at: null,
  });
  await add("snippets", { title: mark, text: `${mark} snippet`, media_id: media.id, created_at: at });
  await addCrm(db, { userId, leadId: lead_id, mark, at });
  await add("exclusions", { telegram_user_id: self + 1_000_000, name: `${mark} stranger`, excluded_at: at });
  const batch = await addRow(db, "lead_batches", {
    owner_id: userId,
    action: JSON.stringify({ type: "hold" }),
    status: "completed",
    created_at: at,
    finished_at: at,
    // In the far future, so that it does not expire at any time a test's clock shows.
    undo_until: "2999-01-01T00:00:00Z",
  });
  await db.insertInto("lead_batch_targets").values({ owner_id: userId, batch_id: batch.id, n: 1, lead_id }).execute();
  await add("account_imports", { status: "completed", total: 1, reason: `${mark} reason`, created_at: longAgo });
  await add("request_keys", { key: mark, fingerprint: mark, answer: null, at });
  await add("lead_events", { lead_id, type: "note_changed", by_kind: "person", by_name: mark, at });
  const reminder = await add("reminders", {
    stage: `${mark} stage`,
    stage_id: stage.id,
    channel_id: "@team",
    template: `${mark} template`,
  });
  const job = await add("bulk_jobs", {
    message: `${mark} bulk`,
    throttle_ms: 300,
    created_at: at,
    media_id: media.id,
    status: "completed",
  });
  await add("outbox", {
    kind: "bulk",
    priority: 3,
    dedupe_key: `bulk:${job.id}:${lead_id}`,
    random_id: self,
    lead_id,
    job_id: job.id,
    followup_id: followup.id,
    reminder_id: reminder.id,
    body: `${mark} body`,
    not_before: at,
    created_at: at,
    state: "sent",
  });
  await addRow(db, "ledger", {
    id: String(self),
    owner_id: userId,
    kind: "reply",
    state: "sent",
    lead_id,
    excerpt: `${mark} words`,
    random_id: self,
    attempts: 1,
    planned_at: at,
    settled_at: at,
  });
  await db.insertInto("reminder_marks").values({ reminder_id: reminder.id, lead_id, epoch: 1, at }).execute();
  await db.insertInto("send_pace").values({ owner_id: userId }).execute();
  await db.insertInto("stage_rules").values({ owner_id: userId }).execute();
  await db.insertInto("user_settings").values({ user_id: userId }).execute();
  await addRow(db, "users", { id: userId, email: `${mark}@example.com`, name: mark });
  await addWebhook(db, { userId, leadId: lead_id, mark, at });
  if (!hasSubscription) await addBilling(db, userId, mark);
  if (isConnected) await addTelegram(db, { userId, self, mark, at, mediaId: media.id });
  const once = Object.fromEntries(EXPORTED_ONCE.split(" ").map((table) => [table, 1]));
  return { ...once, telegram_sessions: isConnected ? 1 : 0, fields: 2, lead_fields: 2 };
}

async function addCrm(
  db: Deps["db"],
  { userId, leadId, mark, at }: { userId: string; leadId: string; mark: string; at: string },
): Promise<void> {
  const own = { owner_id: userId, created_at: at };
  const { id: tag_id } = await addRow(db, "tags", { ...own, name: `${mark} tag`, color: "#1f8a4c" });
  await db.insertInto("lead_tags").values({ owner_id: userId, tag_id, lead_id: leadId }).execute();
  const { id: field_id } = await addRow(db, "fields", { ...own, name: `${mark} field`, type: "text" });
  await addRow(db, "lead_fields", { owner_id: userId, field_id, lead_id: leadId, text_value: `${mark} value` });
  const deal = await addRow(db, "fields", { ...own, name: `${mark} deal`, type: "number", is_value: true });
  await addRow(db, "lead_fields", { owner_id: userId, field_id: deal.id, lead_id: leadId, number_value: 12.5 });
  await addRow(db, "views", { ...own, name: `${mark} view`, kind: "list", columns: "[]" });
}

/** Its delivery is already complete, so no worker picks it up. */
async function addWebhook(
  db: Deps["db"],
  { userId, leadId, mark, at }: { userId: string; leadId: string; mark: string; at: string },
): Promise<void> {
  const own = { owner_id: userId };
  const { id: webhook_id } = await addRow(db, "webhooks", {
    ...own,
    url: `https://hooks.example.com/${encodeURIComponent(mark)}`,
    events: ["account.disconnected"],
    key_version: 1,
    sealed: Buffer.from(`${mark} sealed secret`),
    created_at: at,
  });
  const { id: event_id } = await addRow(db, "webhook_events", {
    ...own,
    lead_id: leadId,
    type: "message.received",
    data: JSON.stringify({ text: `${mark} told` }),
    at,
  });
  await addRow(db, "webhook_deliveries", {
    ...own,
    webhook_id,
    event_id,
    lead_id: leadId,
    at,
    state: "delivered",
    status: 204,
    settled_at: at,
  });
}

async function addBilling(db: Deps["db"], userId: string, mark: string): Promise<void> {
  await db.insertInto("subscriptions").values({ user_id: userId, status: "active", plan: mark }).execute();
  await addRow(db, "billing_customers", { user_id: userId, email: mark, customer_id: `cus_${userId}` });
  await addRow(db, "billing_checkouts", { user_id: userId, session_id: `cs_${userId}` });
}

async function addTelegram(
  db: Deps["db"],
  { userId, self, mark, at, mediaId }: { userId: string; self: number; mark: string; at: string; mediaId: string },
): Promise<void> {
  const { id: account_id } = await addRow(db, "telegram_sessions", {
    user_id: userId,
    telegram_user_id: self,
    phone: `+${self}`,
    device: mark,
    connected_at: at,
  });
  await addRow(db, "telegram_auth_keys", {
    account_id,
    dc: 2,
    slot: -1,
    key_version: 1,
    sealed: Buffer.from("sealed key"),
  });
  await addRow(db, "telegram_state", { account_id, key: "state", value: Buffer.from(mark) });
  await sql`insert into telegram_peers (account_id, peer_id, access_hash, is_min, updated_ms, complete)
    values (${account_id}, ${self + 1}, 'hash', false, 0, '\\x00')`.execute(db);
  await addRow(db, "telegram_peer_references", { account_id, peer_id: self + 1, chat_id: 1, message_id: 1 });
  await addRow(db, "telegram_channels", { account_id, channel: `@${mark}`, channel_id: "7", access_hash: "7" });
  await addRow(db, "contact_checks", { account_id, peer_id: self + 1, requirement: mark, at });
  await db.insertInto("telegram_files").values({ account_id, media_id: mediaId, file_id: mark }).execute();
  await addRow(db, "telegram_login_attempts", {
    user_id: userId,
    id: crypto.randomUUID(),
    owner: mark,
    kind: "qr",
    expires_at: at,
  });
}

/** Marks the user's Telegram account as disconnected and erases its keys, as a worker does after the log-out. */
export async function logOutTelegram(db: Deps["db"], userId: string): Promise<void> {
  const accounts = await db
    .updateTable("telegram_sessions")
    .set({ state: "disconnected" })
    .where("user_id", "=", userId)
    .returning("id")
    .execute();
  for (const { id } of accounts) await eraseKeys(db, id);
}
