import { sql } from "kysely";
import type { Deps } from "../../server/core/deps.ts";
import { addRow } from "./rows.ts";

let telegramUsers = 5_000_000;

/**
 * Gives a user at least one row in every table that can hold one, marked with `mark`.
 * @param options.isConnected false: without a Telegram account, which a running worker would try to connect
 * @param options.hasSubscription true: the user has paid by himself already
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
  const stage = await addRow(db, "stages", { owner_id: userId, name: `${mark} stage`, order: 1, keywords: [mark] });
  const media = await addRow(db, "media", {
    owner_id: userId,
    sha256: `${mark} hash`,
    kind: "image",
    extension: "png",
    mime: "image/png",
    size: 1,
  });
  await addRow(db, "media_blobs", { media_id: media.id, content: Buffer.from(`${mark} picture`) });
  const followup = await addRow(db, "followups", {
    owner_id: userId,
    stage_id: stage.id,
    message: `${mark} follow-up`,
    followup_order: 0,
    media_id: media.id,
  });
  await db
    .insertInto("deleted_followups")
    .values({
      id: crypto.randomUUID(),
      owner_id: userId,
      stage_id: stage.id,
      media_id: media.id,
      step: JSON.stringify({ message: `${mark} deleted follow-up` }),
      // Ahead, so that the sweep of what can no longer be brought back finds nothing while a test compares.
      deleted_at: new Date(Date.parse(at) + 3_600_000).toISOString(),
    })
    .execute();
  const lead = await addRow(db, "leads", {
    owner_id: userId,
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
  await addRow(db, "stage_history", {
    owner_id: userId,
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
  await addRow(db, "messages", {
    owner_id: userId,
    account_user_id: self,
    peer_user_id: self + 1,
    message_id: 1,
    is_outgoing: false,
    text: `${mark} message`,
    sent_at: at,
  });
  const message = await db.selectFrom("messages").select("id").where("owner_id", "=", userId).executeTakeFirstOrThrow();
  await addRow(db, "file_parts", {
    owner_id: userId,
    message_id: message.id,
    part: 0,
    bytes: Buffer.from(mark),
    size: 1,
    used_at: at,
  });
  // Whoever is filled later has the older import: a list that mixes owners up shows another one.
  const longAgo = new Date(Date.parse(at) - (self - 5_000_000) * 60_000).toISOString();
  await addRow(db, "chat_imports", {
    owner_id: userId,
    days: 30,
    include_contacts: true,
    since: at,
    account_user_id: self,
    created_at: longAgo,
    status: "completed",
  });
  await addRow(db, "api_keys", {
    owner_id: userId,
    name: `${mark} key`,
    scopes: ["read"],
    hash: `${mark} ${userId}`,
    hint: "abcd",
    created_at: at,
    last_used_at: null,
  });
  await addRow(db, "snippets", {
    owner_id: userId,
    title: mark,
    text: `${mark} snippet`,
    media_id: media.id,
    created_at: at,
  });
  await addCrm(db, { userId, leadId: lead_id, mark, at });
  await addRow(db, "exclusions", {
    owner_id: userId,
    telegram_user_id: self + 1_000_000,
    name: `${mark} stranger`,
    excluded_at: at,
  });
  const batch = await db
    .insertInto("lead_batches")
    .values({
      owner_id: userId,
      action: JSON.stringify({ type: "hold" }),
      status: "completed",
      created_at: at,
      finished_at: at,
      // Not yet to be forgotten, wherever the clock stands.
      undo_until: "2999-01-01T00:00:00Z",
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await db.insertInto("lead_batch_targets").values({ owner_id: userId, batch_id: batch.id, n: 1, lead_id }).execute();
  await addRow(db, "account_imports", {
    owner_id: userId,
    status: "completed",
    total: 1,
    reason: `${mark} reason`,
    created_at: longAgo,
  });
  await addRow(db, "request_keys", { owner_id: userId, key: mark, fingerprint: mark, answer: null, at });
  await addRow(db, "lead_events", {
    owner_id: userId,
    lead_id,
    type: "note_changed",
    by_kind: "person",
    by_name: mark,
    at,
  });
  const reminder = await addRow(db, "reminders", {
    owner_id: userId,
    stage: `${mark} stage`,
    stage_id: stage.id,
    channel_id: "@team",
    template: `${mark} template`,
  });
  const job = await addRow(db, "bulk_jobs", {
    owner_id: userId,
    message: `${mark} bulk`,
    throttle_ms: 300,
    created_at: at,
    media_id: media.id,
    status: "completed",
  });
  await addRow(db, "outbox", {
    owner_id: userId,
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
  return {
    users: 1,
    user_settings: 1,
    subscriptions: 1,
    telegram_sessions: isConnected ? 1 : 0,
    api_keys: 1,
    webhooks: 1,
    stages: 1,
    followups: 1,
    deleted_followups: 1,
    leads: 1,
    stage_history: 1,
    messages: 1,
    lead_events: 1,
    chat_imports: 1,
    snippets: 1,
    tags: 1,
    lead_tags: 1,
    fields: 2,
    lead_fields: 2,
    views: 1,
    exclusions: 1,
    reminders: 1,
    bulk_jobs: 1,
    outbox: 1,
    ledger: 1,
    media: 1,
  };
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

/** With a delivery that is over, so that nobody goes to work on it. */
async function addWebhook(
  db: Deps["db"],
  { userId, leadId, mark, at }: { userId: string; leadId: string; mark: string; at: string },
): Promise<void> {
  const own = { owner_id: userId };
  const { id: webhook_id } = await db
    .insertInto("webhooks")
    .values({
      ...own,
      url: `https://hooks.example.com/${encodeURIComponent(mark)}`,
      events: ["account.disconnected"],
      key_version: 1,
      sealed: Buffer.from(`${mark} sealed secret`),
      created_at: at,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
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
