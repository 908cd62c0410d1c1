import type { Message } from "../../domain/message.ts";
import type { MessageFile } from "../../domain/telegram-message.ts";
import type { CoreTables } from "../db/tables/core.ts";
import type { MediaLinks } from "../media/signed-url.ts";

type Stored = CoreTables["messages"];

/** The columns of a message that a response needs. */
export type MessageRow = Pick<Stored, "is_outgoing" | "reason" | "message_id"> & {
  id: string;
  kind: Message["kind"];
  text: string;
  sent_at: string;
  edited_at: string | null;
  deleted_at: string | null;
  source: Message["source"];
  state: Message["state"];
  media: MessageFile | null;
  preview: Uint8Array | null;
  matched: Message["matched"];
};

/** Selects the columns of `MessageRow`. */
export const MESSAGE_COLUMNS =
  "m.id, m.message_id, m.is_outgoing, m.kind, m.text, m.sent_at, m.edited_at, m.deleted_at, m.source, m.state, m.reason, m.media, m.preview, m.matched";

const isPng = (bytes: Uint8Array) => bytes[0] === 0x89;
const previewUrl = (bytes: Uint8Array | null): string | null =>
  bytes === null ? null : `data:image/${isPng(bytes) ? "png" : "jpeg"};base64,${Buffer.from(bytes).toString("base64")}`;

/** Returns a message as the API sends it. A deleted one has no text and no file. */
export function answerOf(row: MessageRow, links: MediaLinks): Message {
  return {
    id: row.id,
    message_id: row.message_id,
    direction: row.is_outgoing ? "out" : "in",
    kind: row.kind,
    text: row.text,
    at: row.sent_at,
    edited_at: row.edited_at,
    deleted_at: row.deleted_at,
    source: row.source,
    state: row.state,
    reason: row.reason,
    media:
      row.media === null
        ? null
        : {
            url: links.toMessage(row.id),
            preview: previewUrl(row.preview),
            width: row.media.width ?? null,
            height: row.media.height ?? null,
            seconds: row.media.seconds ?? null,
            size: row.media.size ?? null,
            name: row.media.name ?? null,
          },
    matched: row.matched,
  };
}
