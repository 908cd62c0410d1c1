import type { LeadDetail } from "../../../domain/lead.ts";
import type { Message, MessagesPage } from "../../../domain/message.ts";
import type { ConversationGateway } from "../../services/conversation.ts";
import { type MessageRange, rangeOf } from "./conversation.log.ts";

export type ConversationReads = Pick<ConversationGateway, "readLead" | "listMessages">;

/** Which messages changed, those of `ids` or any, and whether the lead did. */
export type Changes = { ids: readonly string[]; isAny: boolean; isLead: boolean };
export const NOTHING: Changes = { ids: [], isAny: false, isLead: false };
export const EVERYTHING: Changes = { ids: [], isAny: true, isLead: true };

export type Opened = { lead: LeadDetail; range: MessageRange };
type NewsRequest = Changes & { leadId: string; known: readonly Message[] };
/** `lead` is undefined if it was not requested; null as a whole means that the lead was deleted. */
export type News = { lead: LeadDetail | undefined; newest: MessageRange; renewed: readonly Message[] } | null;
export type Older = { range: MessageRange; before: string };

export const PAGE = 50;
const LARGEST_PAGE = 200;
/** From this many changed messages on, the whole range is read instead of each message. */
const FEW = 4;

/** Reads the newest page, more pages if anything may have changed, and each changed message before it. */
export async function readNews(
  reads: ConversationReads,
  { leadId, ids, isAny, isLead, known }: NewsRequest,
  signal: AbortSignal,
): Promise<News> {
  const isWhole = isAny || ids.length > FEW;
  const [lead, newest] = await Promise.all([
    isLead ? reads.readLead(leadId, signal) : undefined,
    readBack(reads, { leadId, oldest: isWhole ? (known[0]?.id ?? null) : null }, signal),
  ]);
  if (lead === null || newest === null) return null;
  const read = new Set(newest.messages.map(({ id }) => id));
  const before = isWhole
    ? []
    : ids.flatMap((id) => {
        const after = known[known.findIndex((message) => message.id === id) + 1];
        return read.has(id) || after === undefined || known.every((message) => message.id !== id) ? [] : [after.id];
      });
  const renewed = await Promise.all(
    before.map((id) =>
      reads.listMessages({ leadId, before: id, limit: 1 }, signal).then((page) => page?.messages ?? []),
    ),
  );
  return { lead, newest, renewed: renewed.flat() };
}

/** Reads the newest page, and older ones until `oldest` is included; null if the lead does not exist. */
async function readBack(
  reads: ConversationReads,
  { leadId, oldest }: { leadId: string; oldest: string | null },
  signal: AbortSignal,
): Promise<MessageRange | null> {
  const limit = oldest === null ? PAGE : LARGEST_PAGE;
  const read: Message[] = [];
  for (let before: string | null = null; ;) {
    // oxlint-disable-next-line no-await-in-loop -- each page starts where the previous one ends
    const page: MessagesPage | null = await reads.listMessages({ leadId, before, limit }, signal);
    if (page === null) return null;
    read.push(...page.messages);
    const isEnough = oldest === null || page.next === null || page.messages.some(({ id }) => id === oldest);
    if (isEnough) return rangeOf({ messages: read, next: page.next });
    before = page.next;
  }
}
