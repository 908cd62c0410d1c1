import type { Message, MessagesPage } from "../../../domain/message.ts";

/** Messages without a Telegram number sort last in their second. */
const UNNUMBERED = 2_147_483_647;

/** The server's order: by second, then Telegram's number, then our id. */
export function compareMessages(a: Message, b: Message): number {
  return (
    Date.parse(a.at) - Date.parse(b.at) ||
    (a.message_id ?? UNNUMBERED) - (b.message_id ?? UNNUMBERED) ||
    a.id.length - b.id.length ||
    (a.id < b.id ? -1 : Number(a.id > b.id))
  );
}

/** A range of messages up to the newest, oldest first; `next` is the cursor for older ones. */
export type MessageRange = { messages: readonly Message[]; next: string | null };

export const rangeOf = ({ messages, next }: MessagesPage): MessageRange => ({ messages: messages.toReversed(), next });

/** Merges the newest messages into the range. If the two do not overlap, only the newer one stays. */
export function withNewest(known: MessageRange, fresh: MessageRange): MessageRange {
  const first = fresh.messages[0];
  const renewed = new Set(fresh.messages.map(({ id }) => id));
  const isMet = known.messages.some(({ id }) => renewed.has(id));
  if (first === undefined || fresh.next === null || !isMet) return fresh;
  const older = known.messages.filter((message) => !renewed.has(message.id) && compareMessages(message, first) < 0);
  return older.length === 0 ? fresh : { messages: [...older, ...fresh.messages], next: known.next };
}

export function withOlder(known: MessageRange, older: MessageRange): MessageRange {
  const ids = new Set(known.messages.map(({ id }) => id));
  return { messages: [...older.messages.filter(({ id }) => !ids.has(id)), ...known.messages], next: older.next };
}

/** Replaces messages with their reloaded versions. */
export function withRenewed(known: MessageRange, renewed: readonly Message[]): MessageRange {
  if (renewed.length === 0) return known;
  const byId = new Map(renewed.map((message) => [message.id, message]));
  return { ...known, messages: known.messages.map((message) => byId.get(message.id) ?? message) };
}

/** Appends a message that was just accepted, unless it is already there. */
export function withAccepted(known: MessageRange, accepted: Message): MessageRange {
  return known.messages.some(({ id }) => id === accepted.id)
    ? known
    : { ...known, messages: [...known.messages, accepted] };
}

/** Returns the new messages after a refresh. An accepted reply is shown at once, so messages from the same moment may sort before it. */
export function arrivedIn(known: MessageRange, now: MessageRange): Message[] {
  const ids = new Set(known.messages.map(({ id }) => id));
  const isKnown = ({ id }: Message) => ids.has(id);
  const last = now.messages.findLastIndex((message) => isKnown(message) && message.source !== "reply");
  const from = last === -1 ? now.messages.findIndex(isKnown) : last;
  return now.messages.slice(from + 1).filter((message) => !isKnown(message));
}

/** The lead's newest message; null if there is none. */
export const newestReceived = (messages: readonly Message[]): string | null =>
  messages.findLast(({ direction }) => direction === "in")?.id ?? null;
