import type { LeadDetail } from "../../domain/lead.ts";
import type { Message } from "../../domain/message.ts";

const START = Date.parse("2026-03-05T10:00:00.000Z");

/** The message of that number: a minute after the one before, from the person unless said otherwise. */
export const messageNumber = (number: number, known: Partial<Message> = {}): Message => ({
  id: String(number),
  message_id: 1_000 + number,
  direction: "in",
  kind: "text",
  text: `Words ${number}`,
  at: new Date(START + number * 60_000).toISOString(),
  edited_at: null,
  deleted_at: null,
  source: known.direction === "out" ? "reply" : "them",
  state: known.direction === "out" ? "sent" : "received",
  reason: null,
  media: null,
  matched: null,
  ...known,
});

export const messagesFrom = (from: number, to: number): Message[] =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => messageNumber(from + index));

export const leadDetail = (known: Partial<LeadDetail> = {}): LeadDetail => ({
  id: "lead-1",
  telegram_user_id: "42",
  name: "Ann Lee",
  username: "ann_l",
  stage_id: "stage-1",
  notes: null,
  created_at: "2026-03-05T10:00:00.000Z",
  followup_order_sent: 0,
  last_followup_sent_at: null,
  last_user_message_at: null,
  last_message_at: null,
  stage_entered_at: null,
  unreachable_reason: null,
  opted_out_at: null,
  tags: [],
  fields: {},
  unread: 0,
  waiting_since: null,
  automation: null,
  draft: null,
  ...known,
});
