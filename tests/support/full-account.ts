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
  const file = { kind: "image", extension: "png", mime: "image/png", size: 1 } as const;
  const { id: media_id } = await add("media", { ...file, sha256: `${mark} hash` });
  await addRow(db, "media_blobs", { media_id, content: Buffer.from(`${mark} picture`) });
  const stage_id = stage.id;
  const step = { stage_id, message: `${mark} follow-up`, followup_order: 0, media_id };
  const { id: followup_id } = await add("followups", step);
  await add("deleted_followups", {
    id: crypto.randomUUID(),
    stage_id,
    media_id,
    step: JSON.stringify({ message: `${mark} deleted follow-up` }),
    // In the future, so that the job that purges deleted leads does not delete it during a comparison.
    deleted_at: new Date(Date.parse(at) + 3_600_000).toISOString(),
  });
  const { id: lead_id } = await add("leads", {
    telegram_user_id: self + 1,
    name: `${mark} lead`,
    stage_id,
    notes: `${mark} notes`,
    created_at: at,
    stage_entered_at: at,
    last_message_at: at,
    last_inbound_at: at,
    waiting_since: at,
    unread: 1,
  });
  const entry = { from_stage_id: null, to_stage_id: stage_id, reason: "entered", keyword: mark, epoch: 1 } as const;
  await add("stage_history", { ...entry, lead_id, message_id: 1, rules_version: 1, at });
  const conversation = { account_user_id: self, peer_user_id: self + 1 };
  const heard = { message_id: 1, is_outgoing: false, text: `${mark} message`, sent_at: at };
  const message = await add("messages", { ...conversation, ...heard });
  await add("file_parts", { message_id: message.id, part: 0, bytes: Buffer.from(mark), size: 1, used_at: at });
  // An account filled later gets the older import, so a list that mixes owners up shows the wrong one.
  const longAgo = new Date(Date.parse(at) - (self - 5_000_000) * 60_000).toISOString();
  const ended = { status: "completed", created_at: longAgo } as const;
  await add("chat_imports", { ...ended, days: 30, include_contacts: true, since: at, account_user_id: self });
  const key = { name: `${mark} key`, scopes: ["read" as const], hash: `${mark} ${userId}`, hint: "abcd" };
  await add("api_keys", { ...key, created_at: at, last_used_at: null });
  await add("snippets", { title: mark, text: `${mark} snippet`, media_id, created_at: at });
  const tag = await add("tags", { name: `${mark} tag`, color: "#1f8a4c", created_at: at });
  await add("lead_tags", { tag_id: tag.id, lead_id });
  const field = await add("fields", { name: `${mark} field`, type: "text", created_at: at });
  await add("lead_fields", { field_id: field.id, lead_id, text_value: `${mark} value` });
  const deal = await add("fields", { name: `${mark} deal`, type: "number", is_value: true, created_at: at });
  await add("lead_fields", { field_id: deal.id, lead_id, number_value: 12.5 });
  await add("views", { name: `${mark} view`, kind: "list", columns: "[]", created_at: at });
  await add("exclusions", { telegram_user_id: self + 1_000_000, name: `${mark} stranger`, excluded_at: at });
  const batch = await add("lead_batches", {
    action: JSON.stringify({ type: "hold" }),
    status: "completed",
    created_at: at,
    finished_at: at,
    // In the far future, so that it does not expire at any time a test's clock shows.
    undo_until: "2999-01-01T00:00:00Z",
  });
  await add("lead_batch_targets", { batch_id: batch.id, n: 1, lead_id });
  await add("account_imports", { ...ended, total: 1, reason: `${mark} reason` });
  await add("request_keys", { key: mark, fingerprint: mark, answer: null, at });
  await add("lead_events", { lead_id, type: "note_changed", by_kind: "person", by_name: mark, at });
  const rule = { stage: `${mark} stage`, stage_id, channel_id: "@team", template: `${mark} template` };
  const { id: reminder_id } = await add("reminders", rule);
  const bulk = { message: `${mark} bulk`, throttle_ms: 300, status: "completed", media_id } as const;
  const job = await add("bulk_jobs", { ...bulk, created_at: at });
  await add("outbox", {
    kind: "bulk",
    priority: 3,
    dedupe_key: `bulk:${job.id}:${lead_id}`,
    random_id: self,
    lead_id,
    job_id: job.id,
    followup_id,
    reminder_id,
    body: `${mark} body`,
    not_before: at,
    created_at: at,
    state: "sent",
  });
  await add("ledger", {
    id: String(self),
    kind: "reply",
    state: "sent",
    lead_id,
    excerpt: `${mark} words`,
    random_id: self,
    attempts: 1,
    planned_at: at,
    settled_at: at,
  });
  await addRow(db, "reminder_marks", { reminder_id, lead_id, epoch: 1, at });
  await add("send_pace", {});
  await add("stage_rules", {});
  await addRow(db, "user_settings", { user_id: userId });
  await addRow(db, "users", { id: userId, email: `${mark}@example.com`, name: mark });
  const url = `https://hooks.example.com/${encodeURIComponent(mark)}`;
  const sealed = { key_version: 1, sealed: Buffer.from(`${mark} sealed secret`) };
  const hook = await add("webhooks", { url, events: ["account.disconnected"], ...sealed, created_at: at });
  const data = JSON.stringify({ text: `${mark} told` });
  const event = await add("webhook_events", { lead_id, type: "message.received", data, at });
  // The delivery is already complete, so no worker picks it up.
  const delivery = { webhook_id: hook.id, event_id: event.id, lead_id, at, status: 204, settled_at: at };
  await add("webhook_deliveries", { ...delivery, state: "delivered" });
  if (!hasSubscription) {
    await addRow(db, "subscriptions", { user_id: userId, status: "active", plan: mark });
    await addRow(db, "billing_customers", { user_id: userId, email: mark, customer_id: `cus_${userId}` });
    await addRow(db, "billing_checkouts", { user_id: userId, session_id: `cs_${userId}` });
  }
  if (isConnected) await addTelegram(db, { userId, self, mark, at, media_id });
  const once = Object.fromEntries(EXPORTED_ONCE.split(" ").map((table) => [table, 1]));
  return { ...once, telegram_sessions: isConnected ? 1 : 0, fields: 2, lead_fields: 2 };
}

async function addTelegram(
  db: Deps["db"],
  { userId, self, mark, at, media_id }: { userId: string; self: number; mark: string; at: string; media_id: string },
): Promise<void> {
  const account = { user_id: userId, telegram_user_id: self, phone: `+${self}`, device: mark, connected_at: at };
  const { id: account_id } = await addRow(db, "telegram_sessions", account);
  const sealed = { key_version: 1, sealed: Buffer.from("sealed key") };
  await addRow(db, "telegram_auth_keys", { account_id, dc: 2, slot: -1, ...sealed });
  await addRow(db, "telegram_state", { account_id, key: "state", value: Buffer.from(mark) });
  await sql`insert into telegram_peers (account_id, peer_id, access_hash, is_min, updated_ms, complete)
    values (${account_id}, ${self + 1}, 'hash', false, 0, '\\x00')`.execute(db);
  await addRow(db, "telegram_peer_references", { account_id, peer_id: self + 1, chat_id: 1, message_id: 1 });
  await addRow(db, "telegram_channels", { account_id, channel: `@${mark}`, channel_id: "7", access_hash: "7" });
  await addRow(db, "contact_checks", { account_id, peer_id: self + 1, requirement: mark, at });
  await addRow(db, "telegram_files", { account_id, media_id, file_id: mark });
  const attempt = { id: crypto.randomUUID(), owner: mark, kind: "qr", expires_at: at } as const;
  await addRow(db, "telegram_login_attempts", { ...attempt, user_id: userId });
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
