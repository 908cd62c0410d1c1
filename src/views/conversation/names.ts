import type { MessageDescriptor } from "@lingui/core";
import { msg, t } from "@lingui/core/macro";
import type { Lead } from "../../../domain/lead.ts";
import type { Message } from "../../../domain/message.ts";

/** A lead's display name. */
export const nameOf = ({ name, username }: Pick<Lead, "name" | "username">): string =>
  name || (username ? `@${username}` : t`Someone`);

/** The lead's address in Telegram; null if there is none. */
export function telegramAddress({ username, telegram_user_id: id }: Pick<Lead, "username" | "telegram_user_id">) {
  if (username && /^\w{3,64}$/.test(username)) return `https://t.me/${username}`;
  return id === null ? null : `tg://user?id=${encodeURIComponent(id)}`;
}

const KIND_NAMES: Record<Message["kind"], MessageDescriptor> = {
  text: msg`Message`,
  photo: msg`Picture`,
  video: msg`Video`,
  voice: msg`Voice message`,
  audio: msg`Audio`,
  document: msg`File`,
  sticker: msg`Sticker`,
  other: msg`Message`,
};

/** The name of a message without text. */
export const kindName = (kind: Message["kind"]): string => t(KIND_NAMES[kind]);

const ARABIC_OR_HEBREW_FIRST = /^\P{L}*[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/u;

/** A message in one line, prefixed if the user wrote it; `dir` is the direction of the message's text. */
export function excerptOf({ text, kind, direction }: Pick<Message, "text" | "kind" | "direction">) {
  const words = text.trim() || kindName(kind);
  return {
    text: direction === "out" ? t`You: ${words}` : words,
    dir: ARABIC_OR_HEBREW_FIRST.test(words) ? "rtl" : "ltr",
  };
}
