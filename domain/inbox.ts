import * as v from "valibot";
import { Id } from "./schema-parts.ts";
import { NAME_MAX_CHARS } from "./limits.ts";
import { LastMessage, MessageId, pageLimit } from "./message.ts";

export const INBOX_VIEWS = ["waiting", "unread", "all"] as const;
export type InboxView = (typeof INBOX_VIEWS)[number];

/** Of those who wait: who waits longest, or who wrote last, comes first. */
export const WAITING_ORDERS = ["longest", "newest"] as const;
export type WaitingOrder = (typeof WAITING_ORDERS)[number];

const nullableText = v.optional(v.nullable(v.string()), null);

/** A conversation in the list: who, the last words (the first 300 characters), since when the person waits, how much is unread. */
export const InboxItem = v.object({
  lead: v.object({ id: v.string(), name: nullableText, username: nullableText, stage_id: nullableText }),
  last: v.nullable(LastMessage),
  waiting_since: nullableText,
  unread: v.number(),
});
export type InboxItem = v.InferOutput<typeof InboxItem>;

export const InboxPage = v.object({ items: v.array(InboxItem), next: nullableText });
export type InboxPage = v.InferOutput<typeof InboxPage>;

/** How many people wait for an answer, and how many wrote something that was not read. */
export const InboxCounts = v.object({ waiting: v.number(), unread: v.number() });
export type InboxCounts = v.InferOutput<typeof InboxCounts>;

/**
 * `GET /inbox`. Those who wait come longest first, unless `order` says otherwise, the others by their last message; `before` is the last lead of the page
 * before; `q` finds parts of names and usernames, and messages by their words or the beginnings of words.
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
export const DoneOrder = v.strictObject({ done: v.boolean(), up_to: v.optional(MessageId) });
export const Waiting = v.object({ waiting_since: nullableText });
