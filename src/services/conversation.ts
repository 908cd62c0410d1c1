import { msg } from "@lingui/core/runtime-macro";
import { parse } from "valibot";
import { InboxPage, type InboxView, type WaitingOrder } from "../../domain/inbox.ts";
import { LeadDetail } from "../../domain/lead.ts";
import { Message, MessagesPage, UnreadLeft } from "../../domain/message.ts";
import { failureOf } from "../../domain/problem.ts";
import { StoryPage } from "../../domain/story.ts";
import { type Http, HttpError } from "./http.ts";
import { createTypedOver } from "./typed-over.ts";

export type ConversationGateway = ReturnType<typeof createConversationGateway>;

const pathOf = (leadId: string) => `/leads/${encodeURIComponent(leadId)}`;

const orNull = (error: unknown): null => {
  if (failureOf(error).status === 404) return null;
  throw error;
};

/** `/inbox` and each lead's conversation. Reads pass their signal on; writes take none and go on when the screen is left. */
export const createConversationGateway = (http: Http) => ({
  /** A page of conversations; `before` is the last lead of the page before. */
  listInbox: (
    { order, ...request }: { view: InboxView; order: WaitingOrder; q: string; before: string | null; limit: number },
    signal: AbortSignal,
  ): Promise<InboxPage> => {
    const query = request.view === "waiting" && order === "newest" ? { ...request, order } : request;
    return http("/inbox", { query, signal }).then((answer) => parse(InboxPage, answer));
  },

  /** Takes a conversation out of those who wait until its person writes again (after `upTo`, where given), or puts it back. */
  markDone: async ({ leadId, isDone, upTo }: { leadId: string; isDone: boolean; upTo?: string }): Promise<void> => {
    const body = { done: isDone, ...(upTo !== undefined && { up_to: upTo }) };
    await http(`${pathOf(leadId)}/done`, { method: "POST", body });
  },

  /** The lead as its own page shows it; null where the server knows none of that id. */
  readLead: (leadId: string, signal: AbortSignal): Promise<LeadDetail | null> =>
    http(pathOf(leadId), { signal }).then((answer) => parse(LeadDetail, answer), orNull),

  /** A page of the conversation, newest first; null where the server knows no such lead. */
  listMessages: (
    { leadId, ...query }: { leadId: string; before: string | null; limit: number },
    signal: AbortSignal,
  ): Promise<MessagesPage | null> =>
    http(`${pathOf(leadId)}/messages`, { query, signal }).then((answer) => parse(MessagesPage, answer), orNull),

  /** Hands a reply over to be sent, once under one key. */
  reply: async (input: { leadId: string; text: string; file: File | null; key: string }): Promise<Message> => {
    const body = new FormData();
    if (input.text !== "") body.set("text", input.text);
    if (input.file !== null) body.set("media", input.file, input.file.name);
    const headers = { "Idempotency-Key": input.key };
    return parse(Message, await http(`${pathOf(input.leadId)}/messages`, { method: "POST", body, headers }));
  },

  /** The file of a message that is on the server, to be sent once more. */
  readFile: async ({ url, name }: { url: string; name: string }): Promise<File> => {
    const answer = await fetch(url);
    if (!answer.ok)
      throw new HttpError(answer.status, { message: msg`The file of that message could not be read again.` });
    const bytes = await answer.blob();
    return new File([bytes], name, { type: bytes.type });
  },

  /** Everything up to that message was read; answers how many are still unread. */
  markRead: async ({ leadId, upTo }: { leadId: string; upTo: string }): Promise<number> => {
    const answer = await http(`${pathOf(leadId)}/read`, { method: "POST", body: { up_to: upTo } });
    return parse(UnreadLeft, answer).unread;
  },

  /**
   * Keeps what is typed into the reply box on the server, where the draft is still the one it was typed over; an empty text forgets it.
   * Answers null, or the draft that stands there instead.
   */
  saveDraft: createTypedOver(http, {
    bodyOf: (text) => ({ draft: text === "" ? null : text }),
    read: async (leadId) => parse(LeadDetail, await http(pathOf(leadId))).draft ?? "",
  }),

  /** A page of what happened to the lead, newest first. */
  readStory: ({ leadId, before }: { leadId: string; before: string | null }, signal: AbortSignal): Promise<StoryPage> =>
    http(`${pathOf(leadId)}/story`, { query: before === null ? {} : { before }, signal }).then((answer) =>
      parse(StoryPage, answer),
    ),
});
