import { type EventObject, fromCallback, fromPromise } from "xstate";
import type { EventType } from "../../../domain/events.ts";
import type { LeadDetail } from "../../../domain/lead-detail.ts";
import type { Message, MessagesPage } from "../../../domain/message.ts";
import { notProvided } from "../kit/not-provided.ts";
import type { Logger } from "../kit/reporting.ts";
import { type Stretch, stretchOf } from "./conversation.log.ts";

export type ConversationReads = {
  /** Null where there is no such lead. */
  readLead(leadId: string, signal: AbortSignal): Promise<LeadDetail | null>;
  listMessages(
    request: { leadId: string; before: string | null; limit: number },
    signal: AbortSignal,
  ): Promise<MessagesPage | null>;
};

/** Which messages changed: those of `ids`, or any; and whether the lead did. */
export type Changes = { ids: readonly string[]; isAny: boolean; isLead: boolean };
export const NOTHING: Changes = { ids: [], isAny: false, isLead: false };
export const EVERYTHING: Changes = { ids: [], isAny: true, isLead: true };

export type Opened = { lead: LeadDetail; stretch: Stretch };
export type NewsRequest = Changes & { leadId: string; known: readonly Message[] };
/** `lead` is undefined where it was not asked for; the whole is null where there is no such lead any more. */
export type News = { lead: LeadDetail | undefined; newest: Stretch; renewed: readonly Message[] } | null;
export type OlderRequest = { leadId: string; before: string };
export type Older = { stretch: Stretch; before: string };

export type ConversationDeps = {
  conversation: ConversationReads & { markRead(input: { leadId: string; upTo: string }): Promise<unknown> };
  events: { subscribe(type: EventType, listener: (data: unknown) => void): () => void };
  /** Tells of each reply that the server took, for this lead. */
  onAccepted(leadId: string, listener: (message: Message) => void): () => void;
  logger: Logger;
};

const PAGE = 50;
const LARGEST_PAGE = 200;
/** From so many changed messages on, the whole stretch is read instead of each of them. */
const FEW = 4;

export const placeholderActors = {
  openConversation: notProvided<Opened | null, { leadId: string }>("openConversation"),
  readNews: notProvided<News, NewsRequest>("readNews"),
  readOlder: notProvided<Older, OlderRequest>("readOlder"),
  markRead: notProvided<{ upTo: string }, { leadId: string; upTo: string }>("markRead"),
  watchConversation: fromCallback<EventObject, { leadId: string }>(() => {}),
};

export function createConversationActors({
  conversation,
  events,
  onAccepted,
}: ConversationDeps): typeof placeholderActors {
  return {
    openConversation: fromPromise(async ({ input: { leadId }, signal }) => {
      const [lead, page] = await Promise.all([
        conversation.readLead(leadId, signal),
        conversation.listMessages({ leadId, before: null, limit: PAGE }, signal),
      ]);
      return lead === null || page === null ? null : { lead, stretch: stretchOf(page) };
    }),
    readNews: fromPromise(({ input, signal }) => readNews(conversation, input, signal)),
    readOlder: fromPromise(async ({ input, signal }) => {
      const page = await conversation.listMessages({ ...input, limit: PAGE }, signal);
      return { stretch: page === null ? { messages: [], next: null } : stretchOf(page), before: input.before };
    }),
    markRead: fromPromise(async ({ input }) => {
      await conversation.markRead(input);
      return { upTo: input.upTo };
    }),
    watchConversation: fromCallback(({ input: { leadId }, sendBack }) => {
      const stops = [
        events.subscribe("message.changed", (data) => {
          const { lead_id: lead, id } = fieldsOf(data);
          if (lead === null || lead === leadId) sendBack({ type: "message.changed", id });
        }),
        events.subscribe("lead.changed", (data) => {
          const { id } = fieldsOf(data);
          if (id === null || id === leadId) sendBack({ type: "lead.changed" });
        }),
        onAccepted(leadId, (message) => sendBack({ type: "message.accepted", message })),
      ];
      return () => stops.forEach((stop) => stop());
    }),
  };
}

function fieldsOf(data: unknown): { lead_id: string | null; id: string | null } {
  const fields = (typeof data === "object" && data !== null ? data : {}) as Record<string, unknown>;
  const text = (value: unknown) => (typeof value === "string" || typeof value === "number" ? String(value) : null);
  return { lead_id: text(fields["lead_id"]), id: text(fields["id"]) };
}

/** The newest page, further back where anything may have changed, and each changed message that stands before it. */
async function readNews(
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

/** The newest page, and older ones until `oldest` is among them; null where there is no such lead. */
async function readBack(
  reads: ConversationReads,
  { leadId, oldest }: { leadId: string; oldest: string | null },
  signal: AbortSignal,
): Promise<Stretch | null> {
  const limit = oldest === null ? PAGE : LARGEST_PAGE;
  const read: Message[] = [];
  for (let before: string | null = null; ;) {
    // oxlint-disable-next-line no-await-in-loop -- each page begins where the one before ends
    const page: MessagesPage | null = await reads.listMessages({ leadId, before, limit }, signal);
    if (page === null) return null;
    read.push(...page.messages);
    const isEnough = oldest === null || page.next === null || page.messages.some(({ id }) => id === oldest);
    if (isEnough) return stretchOf({ messages: read, next: page.next });
    before = page.next;
  }
}
