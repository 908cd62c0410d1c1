import type { Message } from "../../../domain/message.ts";
import { contentWords, recipientWords } from "../../../domain/send-outcome.ts";

const CONTENT = /^(MESSAGE_|MEDIA_|PHOTO_|DOCUMENT_|IMAGE_|VIDEO_|FILE_|UPLOAD_)/;

/** Why a message of ours stands where it stands, in a sentence; null where there is nothing to say. */
export function reasonWords({ state, reason }: Pick<Message, "state" | "reason">): string | null {
  if (state === "pending" || state === "sending") {
    if (reason === null) return null;
    return /WAIT/.test(reason)
      ? "Telegram makes this account wait. It is sent by itself afterwards."
      : "It could not be sent yet. It is tried again by itself.";
  }
  if (state === "unknown") return "It is not known whether this was sent. It may have arrived.";
  if (state !== "failed") return null;
  if (reason === null) return "Not sent.";
  if (CONTENT.test(reason)) return `Not sent. ${contentWords(reason)}`;
  return `Not sent: this person ${recipientWords(reason)}.`;
}
