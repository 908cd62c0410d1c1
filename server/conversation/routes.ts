import * as v from "valibot";
import { ChatImport, ChatImportRequest } from "../../domain/chat-import.ts";
import { Id } from "../../domain/schema-parts.ts";
import { DoneRequest, InboxCounts, InboxPage, InboxQuery, Waiting } from "../../domain/inbox.ts";
import { Message, MessagesPage, MessagesQuery, ReadUpTo, Reply, UnreadCount } from "../../domain/message.ts";
import { StoryPage, StoryQuery } from "../../domain/story.ts";
import { type Deps, callingKeyName } from "../core/deps.ts";
import { keyedRequestOf, readRequestKey } from "../core/request-keys.ts";
import { parse, type Route, disconnectSignal } from "../core/routes.ts";
import { untilAborted } from "../db/index.ts";
import { createMediaLinks } from "../media/signed-url.ts";
import { readForm } from "../media/multipart.ts";
import { registerFiles } from "./files.ts";
import { cancelImport, startImport, readImport } from "./import.ts";
import { countInbox, listInbox } from "./inbox.ts";
import { listMessages, markRead, requirePeer, placeOf } from "./messages.ts";
import { sendReply } from "./reply.ts";
import { readStory } from "./story.ts";
import { sql } from "kysely";
import { publishEvents } from "../core/bus.ts";
import { DONE, doneUpTo } from "../lead-rows/conversation-state.ts";
import { notFound } from "../core/problem.ts";

const ById = v.strictObject({ id: Id });

export function registerConversation(route: Route, deps: Deps): void {
  const links = createMediaLinks(deps.config, deps.clock);
  registerFiles(route, deps);
  const shared = { tag: "Conversation", gate: "subscribed" } as const;
  const importing = { tag: "Telegram", gate: "subscribed", url: "/api/telegram/import", answer: ChatImport } as const;
  route({
    ...importing,
    method: "POST",
    scope: "write",
    id: "importChats",
    summary: "Import existing chats as leads",
    description:
      "Nothing is sent. The import runs in the background, continues after a restart, and pauses when Telegram requires it.",
    refuses: { 409: ["not_connected", "import_running"] },
    takesKey: true,
    status: 202,
    body: ChatImportRequest,
    handler: ({ caller, body, request }) =>
      startImport(deps, body, keyedRequestOf(deps, caller, request, "chat import", JSON.stringify(body))),
  });
  route({
    ...importing,
    method: "GET",
    scope: "read",
    id: "readChatImport",
    summary: "Read the progress of the latest import of chats",
    refuses: { 404: ["not_found"] },
    handler: ({ caller }) => readImport(deps.db, caller.id),
  });
  route({
    ...importing,
    method: "DELETE",
    scope: "write",
    id: "cancelChatImport",
    summary: "Cancel the import of chats",
    description: "The leads that it has found stay.",
    refuses: { 404: ["not_found"] },
    handler: ({ caller }) => cancelImport(deps, caller.id),
  });
  route({
    ...shared,
    method: "GET",
    url: "/api/inbox",
    scope: "read",
    id: "listInbox",
    summary: "List conversations",
    description: "Who waits (longest first, unless `order` says newest), what is unread, or all (newest first).",
    query: InboxQuery,
    answer: InboxPage,
    handler: ({ caller, query, reply }) =>
      listInbox(query.q ? untilAborted(deps.engine, disconnectSignal(reply)) : deps.db, caller.id, query),
  });
  route({
    ...shared,
    method: "GET",
    url: "/api/inbox/counts",
    scope: "read",
    id: "countInbox",
    summary: "Read how many leads are waiting for a reply, and how many conversations are unread",
    answer: InboxCounts,
    handler: ({ caller }) => countInbox(deps.db, caller.id),
  });
  route({
    ...shared,
    method: "POST",
    url: "/api/leads/:id/done",
    scope: "write",
    id: "markDone",
    summary: "Mark a conversation as done until the lead writes again, or as waiting",
    description: "Moving the lead to another stage by hand also marks it as done.",
    params: ById,
    body: DoneRequest,
    answer: Waiting,
    handler: ({ caller, params, body }) =>
      markDone(deps, { ownerId: caller.id, leadId: params.id, isDone: body.done, upTo: body.up_to }),
  });
  route({
    ...shared,
    method: "GET",
    url: "/api/leads/:id/messages",
    scope: "read",
    id: "listMessages",
    summary: "Read a lead's conversation, newest first",
    params: ById,
    query: MessagesQuery,
    answer: MessagesPage,
    handler: ({ caller, params, query }) =>
      listMessages(deps.db, links, { ownerId: caller.id, leadId: params.id }, query),
  });
  route({
    ...shared,
    method: "POST",
    url: "/api/leads/:id/messages",
    scope: "send",
    id: "replyToLead",
    summary: "Reply to a lead",
    description:
      "Optionally with a picture or video. The response is the queued message; the event `message.changed` reports its outcome.",
    form: { fields: Reply, file: { name: "media", description: "A picture or video, 10 MB at most." } },
    refuses: { 409: ["not_connected", "media_full"], 429: ["account_waits"] },
    takesKey: true,
    params: ById,
    consumes: "multipart",
    answer: Message,
    status: 201,
    handler: async ({ caller, params, request }) => {
      const { fields, file } = await readForm(request);
      await requirePeer(deps.db, caller.id, params.id);
      const { text } = parse(Reply, fields);
      const key = readRequestKey(request);
      return sendReply(deps, links, {
        ownerId: caller.id,
        leadId: params.id,
        text,
        file,
        key,
        byKey: callingKeyName(caller),
      });
    },
  });
  route({
    ...shared,
    method: "POST",
    url: "/api/leads/:id/read",
    scope: "write",
    id: "markRead",
    summary: "Mark a conversation as read up to a message",
    params: ById,
    body: ReadUpTo,
    answer: UnreadCount,
    handler: async ({ caller, params, body }) => ({ unread: await markRead(deps, caller.id, params.id, body.up_to) }),
  });
  route({
    ...shared,
    method: "GET",
    url: "/api/leads/:id/story",
    scope: "read",
    id: "readStory",
    summary: "List a lead's history, newest first",
    params: ById,
    query: StoryQuery,
    answer: StoryPage,
    handler: ({ caller, params, query }) => readStory(deps.db, { ownerId: caller.id, leadId: params.id }, query),
  });
}

/**
 * Marks a conversation as done until the lead writes again, or undoes that. One that was answered since does not wait again.
 * @returns since when the lead waits
 * @throws ProblemError 404 for the lead, 422 for a message of another conversation
 */
function markDone(
  { db, bus }: Pick<Deps, "db" | "bus">,
  { ownerId, leadId, isDone, upTo }: { ownerId: string; leadId: string; isDone: boolean; upTo?: string | undefined },
): Promise<{ waiting_since: string | null }> {
  return db.transaction().execute(async (tx) => {
    const back = sql`waiting_since = case when l.done_at is not null then least(l.waiting_since, l.waited_since) else l.waiting_since end,
      done_at = null`;
    const done = upTo === undefined ? DONE : doneUpTo(await placeOf(tx, { ownerId, leadId }, upTo));
    const { rows } = await sql<{ waiting_since: string | null }>`
      update leads l set ${isDone ? done : back} where l.id = ${leadId}::uuid and l.owner_id = ${ownerId}::uuid
      returning l.waiting_since`.execute(tx);
    const [lead] = rows;
    if (lead === undefined) throw notFound();
    await publishEvents(bus, ownerId, [{ type: "lead.changed", data: { id: leadId } }, { type: "inbox.changed" }], tx);
    return lead;
  });
}
