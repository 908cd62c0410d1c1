import type { tl } from "@mtcute/core";
import type { TelegramClient } from "@mtcute/node";

/**
 * What was written privately since a time (seconds), in the order of the account. After a very long absence Telegram does not list what was
 * missed ("difference too long"); then it is read from the chats themselves.
 */
export async function readHistorySince(client: TelegramClient, since: number): Promise<tl.RawMessage[]> {
  const missed: tl.RawMessage[] = [];
  for await (const dialog of client.iterDialogs({ archived: "keep", pinned: "keep" })) {
    const last = dialog.lastMessage;
    if (last === null || dialog.peer.type !== "user") continue;
    if (seconds(last.date) < since) break;
    for await (const { raw, date } of client.iterHistory(dialog.peer.inputPeer)) {
      if (seconds(date) < since) break;
      if (raw._ === "message") missed.push(raw);
    }
  }
  // Private messages are numbered within the account, across its chats.
  return missed.toSorted((a, b) => a.id - b.id);
}

const seconds = (date: Date) => Math.floor(date.getTime() / 1000);
