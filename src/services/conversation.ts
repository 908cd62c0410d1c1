import { msg } from "@lingui/core/runtime-macro";
import { parse } from "valibot";
import { InboxPage, type InboxView, type WaitingOrder } from "../../domain/inbox.ts";
import { LeadDetail } from "../../domain/lead.ts";
import { Message, MessagesPage, UnreadCount } from "../../domain/message.ts";
import { nullOn } from "../../domain/problem.ts";
import { StoryPage } from "../../domain/story.ts";
import { leadPath } from "./addresses.ts";
import { type Http, HttpError } from "./http.ts";
import { createTypedOver } from "./typed-over.ts";

export type ConversationGateway = ReturnType<typeof createConversationGateway>;

/**
 * `/inbox` and each lead's conversation. Reads pass on their signal. Writes take none, so they finish even if the user leaves the screen.
 */
export const createConversationGateway = (http: Http) => ({
  /** A page of conversations; `before` is the last lead of the previous page. */
  listInbox: (
    { order, ...request }: { view: InboxView; order: WaitingOrder; q: string; before: string | null; limit: number },
    signal: AbortSignal,
  ): Promise<InboxPage> => {
    const query = request.view === "waiting" && order === "newest" ? { ...request, order } : request;
    return http("/inbox", { query, signal }).then((answer) => parse(InboxPage, answer));
  },

  /** Marks a conversation done until its lead writes again (after `upTo`, if given), or marks it waiting again. */
  markDone: async ({ leadId, isDone, upTo }: { leadId: string; isDone: boolean; upTo?: string }): Promise<void> => {
    const body = { done: isDone, ...(upTo !== undefined && { up_to: upTo }) };
    await http(`${leadPath(leadId)}/done`, { method: "POST", body });
  },

  /** Reads a lead with its details; null if the server does not know it. */
  readLead: (leadId: string, signal: AbortSignal): Promise<LeadDetail | null> =>
    http(leadPath(leadId), { signal }).then((answer) => parse(LeadDetail, answer), nullOn(404)),

  /** A page of the conversation, newest first; null if the server does not know the lead. */
  listMessages: (
    { leadId, ...query }: { leadId: string; before: string | null; limit: number },
    signal: AbortSignal,
  ): Promise<MessagesPage | null> =>
    http(`${leadPath(leadId)}/messages`, { query, signal }).then((answer) => parse(MessagesPage, answer), nullOn(404)),

  /** Queues a reply, once per key. */
  reply: async (input: { leadId: string; text: string; file: File | null; key: string }): Promise<Message> => {
    const body = new FormData();
    if (input.text !== "") body.set("text", input.text);
    if (input.file !== null) body.set("media", input.file, input.file.name);
    const headers = { "Idempotency-Key": input.key };
    return parse(Message, await http(`${leadPath(input.leadId)}/messages`, { method: "POST", body, headers }));
  },

  /** Downloads the file of a message, to send it again. */
  readFile: async ({ url, name }: { url: string; name: string }): Promise<File> => {
    const answer = await fetch(url);
    if (!answer.ok)
      throw new HttpError(answer.status, { message: msg`The file of that message could not be read again.` });
    const bytes = await answer.blob();
    return new File([bytes], name, { type: bytes.type });
  },

  /** Marks messages up to this one as read; returns how many are still unread. */
  markRead: async ({ leadId, upTo }: { leadId: string; upTo: string }): Promise<number> => {
    const answer = await http(`${leadPath(leadId)}/read`, { method: "POST", body: { up_to: upTo } });
    return parse(UnreadCount, answer).unread;
  },

  /**
   * Saves the reply draft on the server if the stored draft is still the one that the edit is based on; an empty text deletes it. Returns
   * null, or the draft stored by another device.
   */
  saveDraft: createTypedOver(http, {
    bodyOf: (text) => ({ draft: text === "" ? null : text }),
    read: async (leadId) => parse(LeadDetail, await http(leadPath(leadId))).draft ?? "",
  }),

  /** A page of the lead's activity, newest first. */
  readStory: (
    { leadId, ...query }: { leadId: string; before: string | null },
    signal: AbortSignal,
  ): Promise<StoryPage> =>
    http(`${leadPath(leadId)}/story`, { query, signal }).then((answer) => parse(StoryPage, answer)),
});
