import type { Long, tl } from "@mtcute/core";
import type { TelegramClient } from "@mtcute/node";
import { isoFromSeconds } from "./normalize.ts";

/** The result of a send: the message, and Telegram's copy of the file. */
export type Sent = { messageId: number; date: string; media: tl.TypeMessageMedia | undefined };

/** Marks an update that came with a call's response as seen. */
export function markUpdateSeen(client: TelegramClient, pts: number, ptsCount: number): void {
  const seen: tl.TypeUpdate = { _: "mtcute.dummyUpdate", channelId: 0, pts, ptsCount };
  client.handleClientUpdate({ _: "updates", seq: 0, date: 0, chats: [], users: [], updates: [seen] });
}

/**
 * Reads the response to a send and marks its updates as seen. The response to a repeated send may contain only the first message's id, so
 * the id is looked up by the random id.
 * @throws when the response has no message: the outcome is unknown
 */
export function readSent(client: TelegramClient, answer: tl.TypeUpdates, randomId: Long): Sent {
  if (answer._ === "updateShortSentMessage") {
    markUpdateSeen(client, answer.pts, answer.ptsCount);
    return { messageId: answer.id, date: isoFromSeconds(answer.date), media: answer.media };
  }
  if (answer._ !== "updates" && answer._ !== "updatesCombined")
    throw new Error(`Unexpected response to a send: ${answer._}.`);
  client.handleClientUpdate(answer);
  let id: number | null = null;
  for (const update of answer.updates) {
    if (update._ === "updateMessageID" && update.randomId.eq(randomId)) id = update.id;
  }
  const message = answer.updates
    .flatMap((update) =>
      update._ === "updateNewMessage" || update._ === "updateNewChannelMessage" ? [update.message] : [],
    )
    .find((candidate) => candidate._ === "message" && (id === null || candidate.id === id));
  if (message?._ === "message")
    return { messageId: message.id, date: isoFromSeconds(message.date), media: message.media };
  if (id === null) throw new Error("The response to a send contains no message id.");
  return { messageId: id, date: isoFromSeconds(answer.date), media: undefined };
}
