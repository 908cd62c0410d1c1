import * as v from "valibot";
import { pageSize } from "./schema-parts.ts";
import { fieldProblem } from "./schema-message.ts";

export const MESSAGE_KINDS = ["text", "photo", "video", "voice", "audio", "document", "sticker", "other"] as const;
export type MessageKind = (typeof MESSAGE_KINDS)[number];
export const MESSAGE_SOURCES = ["them", "reply", "followup", "bulk", "telegram"] as const;
export type MessageSource = (typeof MESSAGE_SOURCES)[number];
export const MESSAGE_STATES = ["received", "pending", "sending", "sent", "failed", "unknown"] as const;
export type MessageState = (typeof MESSAGE_STATES)[number];

const nullableText = v.optional(v.nullable(v.string()), null);
const nullableNumber = v.optional(v.nullable(v.number()), null);
const id = v.pipe(
  v.union([v.string(), v.number()]),
  v.transform((value) => String(value)),
  v.string(),
);

/** A file of a message. `url` is a signed link that expires within a day; `preview` is a tiny picture as a data URL. */
export const MessageMedia = v.object({
  url: v.string(),
  preview: nullableText,
  width: nullableNumber,
  height: nullableNumber,
  seconds: nullableNumber,
  size: nullableNumber,
  name: nullableText,
});
export type MessageMedia = v.InferOutput<typeof MessageMedia>;

/** The newest message of a conversation, its text cut short; without text, `kind` says what was sent. */
export const LastMessage = v.object({
  id: v.optional(id),
  text: v.string(),
  direction: v.picklist(["in", "out"]),
  kind: v.picklist(MESSAGE_KINDS),
  at: v.string(),
});
export type LastMessage = v.InferOutput<typeof LastMessage>;

/** The keyword that matched a stage; `start` and `length` count UTF-16 units of the text. */
export const MatchedKeyword = v.object({
  keyword: v.string(),
  start: v.number(),
  length: v.number(),
  stage_id: v.string(),
});
export type MatchedKeyword = v.InferOutput<typeof MatchedKeyword>;

/** A message of a conversation. `id` is Leadloom's and never changes; `message_id` is Telegram's, null until it is sent. */
export const Message = v.object({
  id,
  message_id: nullableNumber,
  direction: v.picklist(["in", "out"]),
  kind: v.picklist(MESSAGE_KINDS),
  text: v.string(),
  at: v.string(),
  edited_at: nullableText,
  deleted_at: nullableText,
  source: v.picklist(MESSAGE_SOURCES),
  state: v.picklist(MESSAGE_STATES),
  /** of one that failed or still waits: Telegram's name of the cause */
  reason: nullableText,
  media: v.optional(v.nullable(MessageMedia), null),
  matched: v.optional(v.nullable(MatchedKeyword), null),
});
export type Message = v.InferOutput<typeof Message>;

/** Newest first; `next` is the `before` of the next page. */
export const MessagesPage = v.object({ messages: v.array(Message), next: nullableText });
export type MessagesPage = v.InferOutput<typeof MessagesPage>;

const PAGE_MOST = 200;
const PAGE = 50;
export const pageLimit = pageSize(PAGE_MOST, PAGE);
/** The number of a message, as `Message.id` gives it. */
export const MessageId = v.pipe(
  v.union([v.string(), v.pipe(v.number(), v.integer())]),
  v.transform((value) => String(value)),
  v.regex(/^\d{1,18}$/, fieldProblem("message_id")),
);

export const MessagesQuery = v.strictObject({ before: v.optional(MessageId), limit: pageLimit });
export type MessagesQuery = v.InferOutput<typeof MessagesQuery>;

/** `POST /leads/{id}/read`: everything up to that message was read. */
export const ReadUpTo = v.strictObject({ up_to: MessageId });
export const UnreadCount = v.object({ unread: v.number() });

/** The text of `POST /leads/{id}/messages`; its file's type is detected from its bytes. */
export const Reply = v.strictObject({ text: v.optional(v.string(), "") });
