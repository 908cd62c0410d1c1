import * as v from "valibot";
import { Id } from "./schema-parts.ts";
import { NAME_MAX_CHARS } from "./limits.ts";
import { LastMessage, MessageId, pageLimit } from "./message.ts";

export const INBOX_VIEWS = ["waiting", "unread", "all"] as const;
export type InboxView = (typeof INBOX_VIEWS)[number];

/** The order of waiting leads: longest wait first, or newest message first. */
export const WAITING_ORDERS = ["longest", "newest"] as const;
export type WaitingOrder = (typeof WAITING_ORDERS)[number];

const nullableText = v.optional(v.nullable(v.string()), null);

/** A conversation in the list: the lead, the newest message (its first 300 characters), how long the lead has waited, and unread messages. */
export const InboxItem = v.object({
  lead: v.object({ id: v.string(), name: nullableText, username: nullableText, stage_id: nullableText }),
  last: v.nullable(LastMessage),
  waiting_since: nullableText,
  unread: v.number(),
});
export type InboxItem = v.InferOutput<typeof InboxItem>;

export const InboxPage = v.object({ items: v.array(InboxItem), next: nullableText });
export type InboxPage = v.InferOutput<typeof InboxPage>;

/** How many leads are waiting for a reply, and how many have unread messages. */
export const InboxCounts = v.object({ waiting: v.number(), unread: v.number() });
export type InboxCounts = v.InferOutput<typeof InboxCounts>;

/**
 * `GET /inbox`. Waiting leads come longest first unless `order` says otherwise, other leads by newest message. `before` is the last lead of the previous
 * page; `q` finds parts of names and usernames, and words or beginnings of words in messages.
 */
export const InboxQuery = v.strictObject({
  view: v.optional(v.picklist(INBOX_VIEWS), "all"),
  order: v.optional(v.picklist(WAITING_ORDERS), "longest"),
  q: v.optional(v.pipe(v.string(), v.maxLength(NAME_MAX_CHARS)), ""),
  before: v.optional(Id),
  limit: pageLimit,
});
export type InboxQuery = v.InferOutput<typeof InboxQuery>;

/** `POST /leads/{id}/done`. With `up_to`, the newest message the user saw, a person who wrote after it still waits. */
export const DoneRequest = v.strictObject({ done: v.boolean(), up_to: v.optional(MessageId) });
export const Waiting = v.object({ waiting_since: nullableText });
