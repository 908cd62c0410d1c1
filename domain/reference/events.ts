import type { EventType } from "../events.ts";

/** What each live change tells, and which fields its data may have. An empty object says that any of them may have changed. */
export const EVENT_DESCRIPTIONS: Record<EventType, { description: string; data: Readonly<Record<string, string>> }> = {
  "lead.changed": { description: "A lead changed, appeared or went.", data: { id: "The lead's id." } },
  "leads.changed": { description: "Many leads changed at once.", data: {} },
  "message.changed": {
    description: "A message came, was sent, edited or deleted.",
    data: { lead_id: "The lead.", id: "The message's id, where it is one." },
  },
  "inbox.changed": { description: "Who waits, or what is unread, is another.", data: {} },
  "bulk.changed": { description: "A bulk message went on.", data: { job_id: "The job." } },
  "batch.changed": { description: "An action on many leads went on.", data: { id: "The job." } },
  "ledger.changed": { description: "What was planned or sent is another; at most once a second.", data: {} },
  "telegram.changed": { description: "The connected account is another, or its health is.", data: {} },
  "telegram.qr": {
    description: "The QR code of a login is a new one.",
    data: { qr_url: "Its text.", expires_at: "When it expires." },
  },
  "subscription.changed": {
    description: "The subscription is another.",
    data: { status: "The status; null without a subscription." },
  },
  "tags.changed": { description: "Tags were added, changed or deleted.", data: {} },
  "fields.changed": { description: "Own fields were added, changed or deleted.", data: {} },
  "views.changed": { description: "Saved views were added, changed or deleted.", data: {} },
  "webhook.changed": { description: "A webhook changed, or a delivery of it.", data: { id: "The webhook's id." } },
  "exclusions.changed": { description: "People were excluded or came back.", data: {} },
};
