import type { CallToolResult, Tool, ToolAnnotations } from "@modelcontextprotocol/server";
import { toJsonSchema } from "@valibot/to-json-schema";
import * as v from "valibot";
import type { Scope } from "../../domain/api-key.ts";
import { cutText } from "../../domain/cut-text.ts";
import { Forecast } from "../../domain/forecast.ts";
import { InboxCounts, InboxPage } from "../../domain/inbox.ts";
import { LeadDetail, LeadsPage } from "../../domain/lead.ts";
import { LedgerPage } from "../../domain/ledger.ts";
import { MCP_TOOLS, type McpArguments, type McpToolName } from "../../domain/mcp.ts";
import { Message, MessagesPage } from "../../domain/message.ts";
import { StageList } from "../../domain/stage.ts";
import { LeadTagList, TagList } from "../../domain/tag.ts";
import { parse } from "../core/routes.ts";
import { ownAnswer, untrustedAnswer } from "./answers.ts";
import type { OwnApi } from "./own-api.ts";
import { forecastLine, leadLine, ledgerLine, messagePage, waitingLine } from "./shapes.ts";

/** How many waiting conversations are listed with the leads; the count covers all. */
const WAITING = "20";

type ToolSpec<Name extends McpToolName> = {
  title: string;
  description: string;
  annotations: ToolAnnotations;
  call(api: OwnApi, args: McpArguments<Name>): Promise<CallToolResult>;
};

const READS: ToolAnnotations = { readOnlyHint: true, openWorldHint: false };
/** Changes the user's data; the previous value can be set again. */
const SETS: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: true,
  openWorldHint: false,
};

const Done = v.object({ success: v.boolean() });
const leadAt = (id: string) => `/api/leads/${encodeURIComponent(id)}`;

/** Returns a page of leads; `before` is the number of leads before it. */
async function leadPage(
  api: OwnApi,
  query: Record<string, string | readonly string[] | undefined>,
  { limit, before = "0" }: { limit: number; before?: string | undefined },
) {
  const { leads, total } = await api.ask(LeadsPage, "GET", "/api/leads", {
    query: { ...query, limit: String(limit), offset: before },
  });
  const behind = Number(before) + leads.length;
  return { leads: leads.map(leadLine), total, next: leads.length > 0 && behind < total ? String(behind) : null };
}

/** Returns the names for the ids on a list's first page. */
async function namesOf(api: OwnApi) {
  const [stages, tags] = await Promise.all([
    api.ask(StageList, "GET", "/api/stages"),
    api.ask(TagList, "GET", "/api/tags"),
  ]);
  return {
    stages: stages.map(({ id, name }) => ({ stage_id: id, name })),
    tags: tags.map(({ id, name }) => ({ tag_id: id, name })),
  };
}

async function whoWaits(api: OwnApi) {
  const [counts, page] = await Promise.all([
    api.ask(InboxCounts, "GET", "/api/inbox/counts"),
    api.ask(InboxPage, "GET", "/api/inbox", { query: { view: "waiting", limit: WAITING } }),
  ]);
  return { waiting: { total: counts.waiting, longest_first: page.items.map(waitingLine) } };
}

const TOOLS: { [Name in McpToolName]: ToolSpec<Name> } = {
  list_leads: {
    title: "List leads",
    description:
      "Lists the people who write to the user on Telegram, most recent conversation first. The first page also says who is waiting for a reply, longest first, and has the ids and names of all stages and tags. Page with limit and before.",
    annotations: READS,
    async call(api, { stage_id, tag_ids, ...page }) {
      const isFirst = page.before === undefined;
      const isAll = stage_id === undefined && tag_ids === undefined;
      const [leads, names, waiting] = await Promise.all([
        leadPage(api, { sort: "-last_message_at", stage_id, tag: tag_ids }, page),
        isFirst ? namesOf(api) : {},
        isFirst && isAll ? whoWaits(api) : {},
      ]);
      return untrustedAnswer({ ...waiting, ...leads, ...names });
    },
  },
  find_leads: {
    title: "Find leads",
    description:
      "Finds leads by part of their name or username, or by words in their messages and notes. Says where it matched. Page with limit and before.",
    annotations: READS,
    async call(api, { query, ...page }) {
      const [leads, names] = await Promise.all([
        leadPage(api, { q: query }, page),
        page.before === undefined ? namesOf(api) : {},
      ]);
      return untrustedAnswer({ ...leads, ...names });
    },
  },
  read_conversation: {
    title: "Read a conversation",
    description:
      "Reads a lead's messages, newest first; direction 'in' is from the lead, 'out' from the user. The first page also has the lead's stage, tags, notes, the draft in the composer, and what automation does next. Marks nothing as read. Page with limit and before.",
    annotations: READS,
    async call(api, { lead_id, limit, before }) {
      const [page, detail] = await Promise.all([
        api.ask(MessagesPage, "GET", `${leadAt(lead_id)}/messages`, { query: { limit: String(limit), before } }),
        before === undefined ? api.ask(LeadDetail, "GET", leadAt(lead_id)) : null,
      ]);
      return untrustedAnswer({
        lead: detail === null ? { lead_id } : detailOf(detail),
        ...messagePage(page.messages, page.next),
      });
    },
  },
  read_forecast: {
    title: "Read the forecast",
    description:
      "What will be sent automatically in the next hours if no lead writes, soonest first, and how many leads are waiting in each state. Page with limit and before.",
    annotations: READS,
    async call(api, { hours, limit, before = "0" }) {
      const forecast = await api.ask(Forecast, "GET", "/api/forecast", { query: { hours: String(hours) } });
      const end = Number(before) + limit;
      return untrustedAnswer({
        now: forecast.now,
        until: forecast.until,
        total: forecast.total,
        items: forecast.items.slice(Number(before), end).map(forecastLine),
        next: end < forecast.items.length ? String(end) : null,
        waiting: forecast.waiting,
      });
    },
  },
  read_ledger: {
    title: "Read the ledger",
    description:
      "Every planned message and its outcome, newest first, of all leads or of one; 'words' says why, 'by' who caused it. Page with limit and before.",
    annotations: READS,
    async call(api, { lead_id, limit, before }) {
      const query = { lead_id, limit: String(limit), before };
      const { items, next } = await api.ask(LedgerPage, "GET", "/api/ledger", { query });
      return untrustedAnswer({ items: items.map(ledgerLine), next });
    },
  },
  draft_reply: {
    title: "Draft a reply",
    description:
      "Puts a draft into a lead's composer for the user to review, edit and send. Sends nothing. It replaces the stored draft; text that the user is typing stays, and the user chooses which to keep.",
    annotations: SETS,
    async call(api, { lead_id, text }) {
      await api.ask(Done, "PATCH", leadAt(lead_id), { body: { draft: text } });
      return ownAnswer("The draft stands in the lead's composer. Nothing was sent; the seller decides.", { lead_id });
    },
  },
  move_lead: {
    title: "Move a lead",
    description:
      "Moves a lead to another stage. The follow-ups of that stage start, so messages may be sent automatically.",
    annotations: SETS,
    async call(api, { lead_id, stage_id }) {
      await api.ask(Done, "PATCH", leadAt(lead_id), { body: { stage_id } });
      return ownAnswer("The lead stands in that stage now.", { lead_id, stage_id });
    },
  },
  tag_lead: {
    title: "Tag a lead",
    description: "Replaces a lead's tags: include those that it should keep. Only the user creates tags.",
    annotations: SETS,
    async call(api, { lead_id, tag_ids }) {
      const { tags } = await api.ask(LeadTagList, "PUT", `${leadAt(lead_id)}/tags`, { body: { tag_ids } });
      return ownAnswer("The lead carries these tags now.", {
        lead_id,
        tags: tags.map(({ id, name }) => ({ tag_id: id, name })),
      });
    },
  },
  note_lead: {
    title: "Note something about a lead",
    description: "Adds a note below those that the lead has. Only the seller sees notes, never the lead.",
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    async call(api, { lead_id, note }) {
      await api.ask(Done, "PATCH", leadAt(lead_id), { body: { add_note: note } });
      return ownAnswer("The note was added.", { lead_id });
    },
  },
  send_reply: {
    title: "Send a reply",
    description:
      "Sends a message to a lead from the user's own Telegram account. It cannot be undone. Use draft_reply unless the user asked to send exactly this message. Pass an idempotency_key, so that a repeated call does not send twice.",
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
    async call(api, { lead_id, text, idempotency_key: key }) {
      const { id, state } = await api.ask(Message, "POST", `${leadAt(lead_id)}/messages`, {
        body: { text },
        headers: key === undefined ? {} : { "idempotency-key": key },
      });
      return ownAnswer("The message is in the outbox and leaves first; read_conversation tells what became of it.", {
        lead_id,
        message_id: id,
        state,
      });
    },
  },
};

const NOTES_CHARS = 2_000;

const detailOf = (lead: LeadDetail) => {
  const { untrusted, ...line } = leadLine(lead);
  const { automation } = lead;
  return {
    ...line,
    unread: lead.unread,
    waiting_since: lead.waiting_since,
    opted_out_at: lead.opted_out_at,
    automation:
      automation === null
        ? null
        : { state: automation.state, due_at: automation["due_at"], words: automation["words"] },
    untrusted: { ...untrusted, notes: lead.notes && cutText(lead.notes, NOTES_CHARS), draft: lead.draft },
  };
};

const isTool = (name: string): name is McpToolName => Object.hasOwn(TOOLS, name);
export const toolNamed = (name: string): McpToolName | null => (isTool(name) ? name : null);

/** Validates a tool's input and calls it. @throws ProblemError with a message for the caller */
export function callTool<Name extends McpToolName>(name: Name, api: OwnApi, given: unknown): Promise<CallToolResult> {
  const args = parse<v.GenericSchema>(MCP_TOOLS[name].takes, given ?? {}) as McpArguments<Name>;
  return TOOLS[name].call(api, args);
}

const LISTED = (Object.keys(MCP_TOOLS) as McpToolName[]).map((name): { scope: Scope; tool: Tool } => {
  const { title, description, annotations } = TOOLS[name];
  const { scope, takes } = MCP_TOOLS[name];
  const { $schema: _draft, ...inputSchema } = toJsonSchema(takes, { typeMode: "input", errorMode: "ignore" });
  return {
    scope,
    tool: {
      name,
      title,
      description,
      annotations: { title, ...annotations },
      inputSchema: inputSchema as Tool["inputSchema"],
    },
  };
});

/** Returns the tools that a key with these scopes may call. */
export const toolsFor = (scopes: readonly Scope[]): Tool[] =>
  LISTED.filter(({ scope }) => scopes.includes(scope)).map(({ tool }) => tool);
