/** The events that the server sends to open pages. */
export const EVENT_TYPES = [
  "lead.changed",
  "message.changed",
  "inbox.changed",
  "bulk.changed",
  "ledger.changed",
  "telegram.changed",
  "telegram.qr",
  "subscription.changed",
  "tags.changed",
  "fields.changed",
  "views.changed",
  // many leads at once
  "leads.changed",
  "batch.changed",
  "exclusions.changed",
  // the webhook itself, or one of its deliveries
  "webhook.changed",
] as const;
export type EventType = (typeof EVENT_TYPES)[number];
