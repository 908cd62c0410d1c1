import { msg } from "@lingui/core/runtime-macro";
import type { Message } from "../../../domain/message.ts";
import { contentMessage, notSentMessage } from "../../../domain/refusal-messages.ts";
import type { UiText } from "../../../domain/ui-text.ts";

const CONTENT = /^(MESSAGE_|MEDIA_|PHOTO_|DOCUMENT_|IMAGE_|VIDEO_|FILE_|UPLOAD_)/;

/** Why a message of ours stands where it stands, in a sentence; null where there is nothing to say. */
export function reasonMessage({ state, reason }: Pick<Message, "state" | "reason">): UiText | null {
  if (state === "pending" || state === "sending") {
    if (reason === null) return null;
    return /WAIT/.test(reason)
      ? msg`Telegram makes this account wait. It is sent by itself afterwards.`
      : msg`It could not be sent yet. It is tried again by itself.`;
  }
  if (state === "unknown") return msg`It is not known whether this was sent. It may have arrived.`;
  if (state !== "failed") return null;
  if (reason === null) return msg`Not sent.`;
  if (CONTENT.test(reason)) return msg`Not sent. ${{ problem: contentMessage(reason) }}`;
  return notSentMessage(reason);
}
