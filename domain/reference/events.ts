import type { EventType } from "../events.ts";

/** What each live event reports, and the fields that its data may have. An empty object means that any item may have changed. */
export const EVENT_DESCRIPTIONS: Record<EventType, { description: string; data: Readonly<Record<string, string>> }> = {
  "lead.changed": { description: "A lead was added, changed or removed.", data: { id: "The lead's id." } },
  "leads.changed": { description: "Many leads changed at once.", data: {} },
  "message.changed": {
    description: "A message was received, sent, edited or deleted.",
    data: { lead_id: "The lead.", id: "The message's id, if only one changed." },
  },
  "inbox.changed": { description: "The leads who are waiting for a reply, or the unread messages, changed.", data: {} },
  "bulk.changed": { description: "A bulk message made progress.", data: { job_id: "The job." } },
  "batch.changed": { description: "An action on many leads made progress.", data: { id: "The job." } },
  "ledger.changed": { description: "Planned or sent messages changed; at most once a second.", data: {} },
  "telegram.changed": { description: "The connected account or its health changed.", data: {} },
  "telegram.qr": {
    description: "A login has a new QR code.",
    data: { qr_url: "Its text.", expires_at: "When it expires." },
  },
  "subscription.changed": {
    description: "The subscription changed.",
    data: { status: "The status; null without a subscription." },
  },
  "tags.changed": { description: "Tags were added, changed or deleted.", data: {} },
  "fields.changed": { description: "Own fields were added, changed or deleted.", data: {} },
  "views.changed": { description: "Saved views were added, changed or deleted.", data: {} },
  "webhook.changed": { description: "A webhook or one of its deliveries changed.", data: { id: "The webhook's id." } },
  "exclusions.changed": { description: "People were excluded, or exclusions ended.", data: {} },
};
