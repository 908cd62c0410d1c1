import type { Message, MessagesPage } from "../../../domain/message.ts";

/** What Telegram has given no number yet stands last in its second. */
const UNNUMBERED = 2_147_483_647;

/** The server's order: by the second, then Telegram's number, then ours. */
export function compareMessages(a: Message, b: Message): number {
  return (
    Date.parse(a.at) - Date.parse(b.at) ||
    (a.message_id ?? UNNUMBERED) - (b.message_id ?? UNNUMBERED) ||
    a.id.length - b.id.length ||
    (a.id < b.id ? -1 : Number(a.id > b.id))
  );
}

/** A stretch of the conversation up to its newest message, oldest first; `next` leads to what is older. */
export type Stretch = { messages: readonly Message[]; next: string | null };

export const stretchOf = ({ messages, next }: MessagesPage): Stretch => ({ messages: messages.toReversed(), next });

/**
 * The known stretch with a newer reading of its end over it. Where the two do not meet, what lies between is not known: only
 * the newer one stays.
 */
export function withNewest(known: Stretch, fresh: Stretch): Stretch {
  const first = fresh.messages[0];
  const renewed = new Set(fresh.messages.map(({ id }) => id));
  const isMet = known.messages.some(({ id }) => renewed.has(id));
  if (first === undefined || fresh.next === null || !isMet) return fresh;
  const older = known.messages.filter((message) => !renewed.has(message.id) && compareMessages(message, first) < 0);
  return older.length === 0 ? fresh : { messages: [...older, ...fresh.messages], next: known.next };
}

export function withOlder(known: Stretch, older: Stretch): Stretch {
  const ids = new Set(known.messages.map(({ id }) => id));
  return { messages: [...older.messages.filter(({ id }) => !ids.has(id)), ...known.messages], next: older.next };
}

/** Each known message as it was read again by itself. */
export function withRenewed(known: Stretch, renewed: readonly Message[]): Stretch {
  if (renewed.length === 0) return known;
  const byId = new Map(renewed.map((message) => [message.id, message]));
  return { ...known, messages: known.messages.map((message) => byId.get(message.id) ?? message) };
}

/** The known stretch with a message that was just accepted at its end, unless it is there already. */
export function withAccepted(known: Stretch, accepted: Message): Stretch {
  return known.messages.some(({ id }) => id === accepted.id)
    ? known
    : { ...known, messages: [...known.messages, accepted] };
}

/**
 * What came to the end of a stretch that was read again. A reply stands there as soon as it is accepted: what was written in the same
 * moment may come before it.
 */
export function arrivedIn(known: Stretch, now: Stretch): Message[] {
  const ids = new Set(known.messages.map(({ id }) => id));
  const isKnown = ({ id }: Message) => ids.has(id);
  const last = now.messages.findLastIndex((message) => isKnown(message) && message.source !== "reply");
  const from = last === -1 ? now.messages.findIndex(isKnown) : last;
  return now.messages.slice(from + 1).filter((message) => !isKnown(message));
}

/** The newest message that the person wrote; null where there is none. */
export const newestReceived = (messages: readonly Message[]): string | null =>
  messages.findLast(({ direction }) => direction === "in")?.id ?? null;
