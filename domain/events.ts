/** What the server tells a page of as it happens. */
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
  // of one webhook: what it is, or a delivery of it
  "webhook.changed",
] as const;
export type EventType = (typeof EVENT_TYPES)[number];
