import { parse } from "valibot";
import { LeadDetail } from "../../domain/lead.ts";
import type { Message } from "../../domain/message.ts";

const START = Date.parse("2026-03-05T10:00:00.000Z");

/** Returns the nth message: a minute after the one before it, from the person unless `known` says otherwise. */
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

export const leadDetail = (known: Partial<LeadDetail> = {}): LeadDetail =>
  parse(LeadDetail, {
    id: "lead-1",
    telegram_user_id: "42",
    name: "Ann Lee",
    username: "ann_l",
    stage_id: "stage-1",
    created_at: "2026-03-05T10:00:00.000Z",
    ...known,
  });
