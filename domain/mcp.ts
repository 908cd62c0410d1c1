import * as v from "valibot";
import type { Scope } from "./api-key.ts";
import { FORECAST_DEFAULT_HOURS, FORECAST_MAX_HOURS } from "./forecast.ts";
import { Id } from "./schema-parts.ts";
import { MESSAGE_MAX_CHARS, NAME_MAX_CHARS, NOTES_MAX_CHARS } from "./limits.ts";
import { LeadTags } from "./tag.ts";
import { fieldProblem } from "./schema-message.ts";

/** Maximum items per page for an assistant, whose context is limited. */
const MCP_PAGE = 20;
const MCP_PAGE_MOST = 50;

const leadId = v.pipe(Id, v.description("The lead's id, as list_leads and find_leads give it."));
const limit = v.optional(
  v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MCP_PAGE_MOST), v.description("How many at most.")),
  MCP_PAGE,
);
const before = v.optional(
  v.pipe(
    v.string(),
    v.regex(/^\d{1,18}$/, fieldProblem("cursor")),
    v.description("The `next` of the page before this one."),
  ),
);
const messageText = (what: string) =>
  v.pipe(
    v.string(),
    v.check((text) => text.trim() !== "", fieldProblem("not_empty")),
    v.maxLength(MESSAGE_MAX_CHARS),
    v.description(what),
  );

/** What each tool of `/mcp` takes, and the scope that a key needs for it. */
export const MCP_TOOLS = {
  list_leads: {
    scope: "read",
    takes: v.strictObject({
      stage_id: v.optional(v.pipe(Id, v.description("Only leads in this stage."))),
      tag_ids: v.optional(v.pipe(LeadTags.entries.tag_ids, v.description("Only leads that carry all of these tags."))),
      limit,
      before,
    }),
  },
  find_leads: {
    scope: "read",
    takes: v.strictObject({
      query: v.pipe(
        v.string(),
        v.trim(),
        v.minLength(1, fieldProblem("search_missing")),
        v.maxLength(NAME_MAX_CHARS),
        v.description("A part of a name or username, or words of messages and notes."),
      ),
      limit,
      before,
    }),
  },
  read_conversation: { scope: "read", takes: v.strictObject({ lead_id: leadId, limit, before }) },
  read_forecast: {
    scope: "read",
    takes: v.strictObject({
      hours: v.optional(
        v.pipe(
          v.number(),
          v.integer(),
          v.minValue(1),
          v.maxValue(FORECAST_MAX_HOURS),
          v.description("How far to look ahead."),
        ),
        FORECAST_DEFAULT_HOURS,
      ),
      limit,
      before,
    }),
  },
  read_ledger: { scope: "read", takes: v.strictObject({ lead_id: v.optional(leadId), limit, before }) },
  draft_reply: {
    scope: "write",
    takes: v.strictObject({
      lead_id: leadId,
      text: messageText("The whole draft. It replaces the draft that stands there."),
    }),
  },
  move_lead: {
    scope: "write",
    takes: v.strictObject({
      lead_id: leadId,
      stage_id: v.pipe(Id, v.description("The stage to move to, as list_leads gives it.")),
    }),
  },
  tag_lead: {
    scope: "write",
    takes: v.strictObject({
      lead_id: leadId,
      tag_ids: v.pipe(
        LeadTags.entries.tag_ids,
        v.description("All tags that the lead is to carry, those that it keeps among them; none takes all away."),
      ),
    }),
  },
  note_lead: {
    scope: "write",
    takes: v.strictObject({
      lead_id: leadId,
      note: v.pipe(
        v.string(),
        v.trim(),
        v.minLength(1, fieldProblem("not_empty")),
        v.maxLength(NOTES_MAX_CHARS),
        v.description("What to add below the notes that stand there."),
      ),
    }),
  },
  send_reply: {
    scope: "send",
    takes: v.strictObject({
      lead_id: leadId,
      text: messageText("The message, exactly as the person is to get it."),
      idempotency_key: v.optional(
        v.pipe(
          v.string(),
          v.regex(/^[\x21-\x7e]{1,255}$/, fieldProblem("request_key")),
          v.description(
            "Your own name for this message: called again with it, nothing is sent twice. Take a new one for each message.",
          ),
        ),
      ),
    }),
  },
} as const satisfies Record<string, { scope: Scope; takes: v.GenericSchema }>;

export type McpToolName = keyof typeof MCP_TOOLS;
export type McpArguments<Name extends McpToolName> = v.InferOutput<(typeof MCP_TOOLS)[Name]["takes"]>;
