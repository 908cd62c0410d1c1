import type { EventType } from "../events.ts";

/** What each live change tells, and which fields its data may have. An empty object says that any of them may have changed. */
export const EVENT_WORDS: Record<EventType, { words: string; data: Readonly<Record<string, string>> }> = {
  "lead.changed": { words: "A lead changed, appeared or went.", data: { id: "The lead's id." } },
  "leads.changed": { words: "Many leads changed at once.", data: {} },
  "message.changed": {
    words: "A message came, was sent, edited or deleted.",
    data: { lead_id: "The lead.", id: "The message's id, where it is one." },
  },
  "inbox.changed": { words: "Who waits, or what is unread, is another.", data: {} },
  "bulk.changed": { words: "A bulk message went on.", data: { job_id: "The job." } },
  "batch.changed": { words: "An action on many leads went on.", data: { id: "The job." } },
  "ledger.changed": { words: "What was planned or sent is another; at most once a second.", data: {} },
  "telegram.changed": { words: "The connected account is another, or its health is.", data: {} },
  "telegram.qr": {
    words: "The QR code of a login is a new one.",
    data: { qr_url: "Its text.", expires_at: "When it ends." },
  },
  "subscription.changed": {
    words: "The subscription is another.",
    data: { status: "Its status; null when there is none." },
  },
  "tags.changed": { words: "Tags were added, changed or deleted.", data: {} },
  "fields.changed": { words: "Own fields were added, changed or deleted.", data: {} },
  "views.changed": { words: "Saved views were added, changed or deleted.", data: {} },
  "webhook.changed": { words: "A webhook changed, or a delivery of it.", data: { id: "The webhook's id." } },
  "exclusions.changed": { words: "People were excluded or came back.", data: {} },
};
