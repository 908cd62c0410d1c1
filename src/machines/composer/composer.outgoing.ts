import { msg } from "@lingui/core/runtime-macro";
import * as v from "valibot";
import { readJson } from "../../../domain/read-json.ts";
import type { UiTextOrString } from "../../../domain/ui-text.ts";
import type { Message } from "../../../domain/message.ts";

/** A file of an earlier message, already on the server. */
export type StoredFile = { url: string; name: string };

/** A reply that the server has not accepted yet. */
export type Outgoing = {
  /** The idempotency key: one key is never two messages. */
  key: string;
  text: string;
  file: File | StoredFile | null;
  /** ISO time when the user pressed Send. */
  at: string;
  /** `refused`: nothing was sent. `unanswered`: the reply may have been sent. */
  status: "waiting" | "posting" | "refused" | "unanswered";
  reason: UiTextOrString | null;
  /** A reload lost the file, so the reply cannot be retried. */
  hasLostFile: boolean;
  /** A retry after an attempt without a response. */
  isRepeated?: boolean;
};

/** Whether the reply may return to the box: nothing was sent, and its file is not one on the server, which the box cannot hold. */
export const isEditable = ({ status, file }: Outgoing): boolean =>
  status === "refused" && (file === null || file instanceof File);

/** Returns the replies as text for a reload. Files are left out. */
export const storedOutgoing = (outgoing: readonly Outgoing[]): string =>
  JSON.stringify(
    outgoing.map(({ key, text, file, at, status, hasLostFile }) => ({
      key,
      text,
      at,
      status: status === "refused" ? "refused" : "unanswered",
      hasLostFile: hasLostFile || file !== null,
    })),
  );

const LOST = msg`It is not known whether this was sent: the page was left before the answer came.`;
const NOT_SENT = msg`This was not sent.`;
const LOST_FILE = msg`The file was lost in the reload. Attach it again.`;

const Stored = v.object({
  key: v.string(),
  text: v.string(),
  at: v.string(),
  status: v.fallback(v.picklist(["refused", "unanswered"]), "unanswered"),
  hasLostFile: v.fallback(v.boolean(), false),
});
const StoredReplies = v.array(v.fallback(v.nullable(Stored), null));

/** Reads the replies back; unreadable entries are dropped. */
export const outgoingOf = (stored: string): Outgoing[] =>
  (readJson(StoredReplies, stored) ?? []).flatMap((reply) => {
    if (reply === null) return [];
    const reason = reply.status === "unanswered" ? LOST : reply.hasLostFile ? LOST_FILE : NOT_SENT;
    return [{ ...reply, file: null, reason }];
  });

/** Returns a failed message as a new one to send. */
export const again = ({ text, media, kind }: Message, key: string, at: string): Outgoing => ({
  key,
  text,
  file: media === null ? null : { url: media.url, name: media.name ?? kind },
  at,
  status: "waiting",
  reason: null,
  hasLostFile: false,
});

/** Whether a failed message was sent again with the same text. */
export function isSentAgain(failed: Message, messages: readonly Message[]): boolean {
  const place = messages.findIndex(({ id }) => id === failed.id);
  return messages
    .slice(place + 1)
    .some(({ source, text, kind }) => source === "reply" && text === failed.text && kind === failed.kind);
}
