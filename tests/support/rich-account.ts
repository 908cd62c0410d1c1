import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { Db } from "../../server/db/index.ts";
import { PNG } from "./files.ts";
import { addRow, addRows, removeRows } from "./rows.ts";

export const HARD_TEXTS = [
  "Привет, сколько стоит?",
  "سلام، قیمت چند است؟ ۱۲۳",
  "你好，多少钱？",
  "👩‍👩‍👧 emoji \u200B and \u00A0 spaces",
  'quotes " and "" and \'',
  "lines\nand\r\nlines\rand ; \t , ends",
  '=HYPERLINK("http://x")',
  "'=1+1",
  "+7 900",
  "-5",
  "@everybody",
  "＝1",
  "",
  " ",
  "null",
];

/**
 * Creates an account with every kind of data that an archive contains. All names differ, so that mix-ups show.
 * @param self the number of its Telegram account
 */
export async function fillRichly(db: Db, userId: string, self: number): Promise<void> {
  const own = { owner_id: userId };
  const at = (minute: number) => new Date(Date.UTC(2026, 2, 1, 10, minute)).toISOString();
  const idOf = (rows: { id: string }[], place = 0) => (rows[place] as { id: string }).id;
  await removeRows(db, "stages", own);
  const stages = await addRows(
    db,
    "stages",
    ['First, "quoted"', "=Second", "Третья"].map((name, place) => ({
      ...own,
      name,
      order: place + 1,
      keywords: ["price", '"how much"', "цена"],
      color: "#1f8a4c",
      created_at: at(place),
    })),
  );
  const sha256 = createHash("sha256").update(PNG).digest("hex");
  const file = { kind: "image", extension: "png", mime: "image/png", size: PNG.length } as const;
  const medium = await addRow(db, "media", { ...own, ...file, sha256 });
  await addRow(db, "media_blobs", { media_id: medium.id, content: PNG });
  const steps = await addRows(
    db,
    "followups",
    [0, 1, 3].map((place) => ({
      ...own,
      stage_id: idOf(stages),
      message: `Step ${place}\n{first_name|друг}`,
      followup_order: place,
      delay_hours: 24 + place,
      media_id: place === 1 ? medium.id : null,
      created_at: at(place),
    })),
  );
  const unassigned = { stage_id: null, message: "Unassigned", followup_order: 0, created_at: at(9) };
  await addRow(db, "followups", { ...own, ...unassigned });
  const tags = await addRows(
    db,
    "tags",
    ["VIP", "@home", "عمده"].map((name) => ({ ...own, name, color: "#6b7280", created_at: at(1) })),
  );
  await addRow(db, "tags", { ...own, name: "Deleted", color: "#6b7280", created_at: at(1), deleted_at: at(2) });
  const fields = await addRows(db, "fields", [
    { ...own, name: "Budget", type: "number" as const, is_value: true, created_at: at(1) },
    { ...own, name: "Size", type: "choice" as const, options: JSON.stringify(["S", "=M"]), created_at: at(2) },
  ]);
  await addRow(db, "snippets", { ...own, title: "Prices", text: "-10 %", media_id: medium.id, created_at: at(1) });
  await addRow(db, "views", {
    ...own,
    name: "Hot",
    kind: "board",
    query: `stage_id=${idOf(stages)}&tag=${idOf(tags)}&tag=${idOf(tags, 1)}&field.${idOf(fields)}=5&sort=-field.${idOf(fields)}&q=x`,
    columns: JSON.stringify(["name", `field.${idOf(fields)}`]),
    created_at: at(1),
  });
  const rule = { stage: "=Second", stage_id: idOf(stages, 1), channel_id: "@team", template: "{name} waits" };
  const reminder = await addRow(db, "reminders", { ...own, ...rule, created_at: at(1) });
  const job = await addRow(db, "bulk_jobs", {
    ...own,
    message: "News",
    throttle_ms: 300,
    status: "completed",
    total_targets: 2,
    sent_count: 2,
    stage_id: idOf(stages),
    media_id: medium.id,
    created_at: at(5),
    finished_at: at(6),
  });
  const excluded = { telegram_user_id: self + 900, name: "Мама", username: "mum", excluded_at: at(7) };
  await addRow(db, "exclusions", { ...own, ...excluded, by_key: "=n8n" });
  const leads = await addRows(
    db,
    "leads",
    HARD_TEXTS.map((text, place) => ({
      ...own,
      telegram_user_id: self + 1 + place,
      name: text,
      username: place % 2 === 0 ? `user_${place}` : null,
      stage_id: idOf(stages, place % 3),
      notes: place % 3 === 0 ? null : text,
      draft: place === 1 ? text : null,
      created_at: at(place),
      stage_entered_at: at(place),
      stage_entry_epoch: 1 + (place % 2),
      followup_order_sent: place % 4,
      last_message_at: at(place + 1),
      // The later leads have not written since, so their steps are due.
      last_inbound_at: at(place < 10 ? place + 1 : place),
      waiting_since: place === 2 ? at(3) : null,
      waited_since: place === 7 ? at(6) : null,
      done_at: place === 7 ? at(7) : null,
      unread: place === 2 ? 1 : 0,
      opted_out_at: place === 3 ? at(4) : null,
      held_at: place === 4 ? at(4) : null,
      held_from: place === 4 ? crypto.randomUUID() : null,
      unreachable_reason: place === 5 ? "USER_IS_BLOCKED" : null,
      unreachable_account: place === 5 ? String(self) : null,
      skipped_steps: place === 6 ? [idOf(steps)] : null,
      skipped_epoch: place === 6 ? 1 : null,
      skipped_until: place === 6 ? at(8) : null,
    })),
  );
  const leadId = (place: number) => idOf(leads, place);
  await addRows(
    db,
    "lead_tags",
    [0, 1, 2].map((place) => ({ ...own, lead_id: leadId(place), tag_id: idOf(tags, place) })),
  );
  await addRows(db, "lead_fields", [
    { ...own, lead_id: leadId(0), field_id: idOf(fields), number_value: -12.05, text_value: null },
    { ...own, lead_id: leadId(1), field_id: idOf(fields, 1), text_value: "=M", number_value: null },
  ]);
  const sent = await sql<{ id: string }>`
    insert into outbox (owner_id, kind, priority, dedupe_key, random_id, lead_id, followup_id, epoch, reminder_id, job_id, body, state,
      is_uncertain, not_before, attempts, account_user_id, message_id, created_at, claimed_at, settled_at)
    values
      (${userId}, 'followup', 2, ${`${self}:a`}, ${self}, ${leadId(0)}, ${idOf(steps)}, 1, null, null, 'Step 0', 'sent', false, ${at(1)}, 1, ${self}, 77, ${at(1)}, ${at(2)}, ${at(3)}),
      (${userId}, 'bulk', 4, ${`${self}:b`}, ${self + 1}, ${leadId(1)}, null, null, null, ${job.id}, null, 'failed', false, ${at(1)}, 2, ${self}, null, ${at(5)}, ${at(6)}, ${at(6)}),
      (${userId}, 'reply', 0, ${`${self}:c`}, ${self + 2}, ${leadId(2)}, null, null, null, null, 'On its way', 'sending', true, ${at(1)}, 1, ${self}, null, ${at(7)}, ${at(8)}, null),
      (${userId}, 'reply', 0, ${`${self}:d`}, ${self + 3}, ${leadId(2)}, null, null, null, null, 'Not yet', 'pending', false, '2999-01-01', 0, null, null, ${at(9)}, null, null)
    returning id`.execute(db);
  await sql`update outbox set by_key = '=n8n' where owner_id = ${userId} and kind = 'bulk'`.execute(db);
  await sql`insert into ledger (id, owner_id, kind, state, lead_id, reminder_id, excerpt, random_id, attempts, planned_at, settled_at)
    values (nextval(pg_get_serial_sequence('outbox', 'id')), ${userId}, 'reminder', 'sent', null, ${reminder.id}, '=waits', ${self + 4}, 1, ${at(1)}, ${at(2)})`.execute(
    db,
  );
  await addRows(
    db,
    "messages",
    HARD_TEXTS.map((text, place) => ({
      ...own,
      account_user_id: self,
      peer_user_id: self + 1 + place,
      // The largest number that the column can store.
      message_id: place === 0 ? 2_147_483_647 : place + 1,
      is_outgoing: place % 4 === 1,
      text,
      kind: place === 3 ? ("photo" as const) : ("text" as const),
      source: place % 4 === 1 ? ("telegram" as const) : ("them" as const),
      state: place % 4 === 1 ? ("sent" as const) : ("received" as const),
      sent_at: at(place + 1),
      edited_at: place === 4 ? at(20) : null,
      deleted_at: place === 5 ? at(21) : null,
      media:
        place === 3
          ? JSON.stringify({ mime: "image/png", name: "=a.png", size: 9, width: 1, height: 1, seconds: null })
          : null,
      preview: place === 3 ? Buffer.from([0xfb, 0xff, 0, 1]) : null,
      media_id: place === 3 ? medium.id : null,
      matched: place === 2 ? JSON.stringify({ keyword: "钱", start: 5, length: 1, stage_id: idOf(stages, 1) }) : null,
    })),
  );
  const ours = [
    ["Step 0", 77, "followup", "sent", idOf(sent.rows), 1],
    ["On its way", null, "reply", "sending", idOf(sent.rows, 2), 3],
    ["Not yet", null, "reply", "pending", idOf(sent.rows, 3), 3],
  ] as const;
  await addRows(
    db,
    "messages",
    ours.map(([text, message_id, source, state, outbox_id, person], place) => ({
      ...own,
      text,
      message_id,
      source,
      state,
      outbox_id,
      account_user_id: self,
      peer_user_id: self + person,
      is_outgoing: true,
      sent_at: at(30 + place),
    })),
  );
  const moves = { ...own, rules_version: 1, to_stage_id: idOf(stages), from_stage_id: null, keyword: null };
  const next = { from_stage_id: idOf(stages), to_stage_id: idOf(stages, 1) };
  const forward = { ...next, reason: "keyword", keyword: "=price" } as const;
  const fromDeleted = { from_stage_id: crypto.randomUUID(), reason: "stage_deleted", by_key: "=n8n" } as const;
  await addRows(db, "stage_history", [
    { ...moves, lead_id: leadId(0), reason: "entered", message_id: 1, epoch: 1, at: at(1) },
    { ...moves, ...forward, lead_id: leadId(0), message_id: 2, epoch: 2, at: at(2) },
    { ...moves, ...fromDeleted, lead_id: leadId(1), message_id: null, epoch: 2, at: at(3) },
  ]);
  const event = (lead: string, type: string, detail: object) => ({
    ...own,
    lead_id: lead,
    type,
    by_kind: "person" as const,
    by_name: "=Ann",
    detail: JSON.stringify(detail),
    at: at(4),
  });
  await addRows(db, "lead_events", [
    event(leadId(0), "tags_changed", { added: [{ id: idOf(tags), name: "VIP" }], removed: [] }),
    event(leadId(0), "fields_changed", {
      changes: [
        { id: idOf(fields), name: "Budget", before: null, after: -12.05 },
        { id: idOf(fields), name: "Path", before: null, after: String.raw`C:\u0000` },
      ],
    }),
    event(leadId(6), "skipped", { followup_id: idOf(steps) }),
  ]);
  await addRow(db, "reminder_marks", { reminder_id: reminder.id, lead_id: leadId(1), epoch: 2, at: at(5) });
  const settings = {
    auto_followups_enabled: true,
    auto_followup_start_hour: 8,
    auto_followup_end_hour: 20,
    time_zone: "Europe/Berlin",
    weekdays: [1, 2, 3, 4, 5],
    read_receipts: true,
    opt_out_words: ["стоп"],
  };
  await removeRows(db, "user_settings", { user_id: userId });
  await addRow(db, "user_settings", { user_id: userId, ...settings });
}
