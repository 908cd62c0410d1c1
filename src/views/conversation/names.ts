import type { Message } from "../../../domain/message.ts";

type Named = { name: string | null; username: string | null };

/** What a person is called on the screen. */
export const nameOf = ({ name, username }: Named): string => name || (username ? `@${username}` : "Someone");

/** Where the person is found in Telegram; null where there is no way. */
export function telegramAddress({
  username,
  telegram_user_id,
}: {
  username: string | null;
  telegram_user_id: string | null;
}): string | null {
  if (username && /^\w{3,64}$/.test(username)) return `https://t.me/${username}`;
  return telegram_user_id === null ? null : `tg://user?id=${encodeURIComponent(telegram_user_id)}`;
}

/** What a message without words is called. */
export const KIND_NAMES: Record<Message["kind"], string> = {
  text: "Message",
  photo: "Picture",
  video: "Video",
  voice: "Voice message",
  audio: "Audio",
  document: "File",
  sticker: "Sticker",
  other: "Message",
};
