import { BatchAction, BatchAnswer, BatchJob, BatchRequest } from "../batch.ts";
import { BoardQuery, LeadFilter } from "../lead-filter.ts";
import { Board, BoardColumn } from "../board.ts";
import { ImportRequest, ImportResult } from "../csv.ts";
import { Exclusion, ExclusionEnd, ExclusionList, ExclusionsQuery } from "../exclusion.ts";
import { LeadAutomation, LeadAutomationRequest } from "../lead-automation.ts";
import { LeadDetail, FieldValue, Lead, LeadMatch, LeadPatch, LeadsPage, LeadsQuery, LeadTag } from "../lead.ts";
import { StepRef } from "../story.ts";
import { EXAMPLE, EXAMPLE_AT, coded, named } from "./named.ts";

const FILTERS = {
  name: "Part of the name.",
  username: "Part of the username.",
  stage_id: "The stage that the lead is in.",
  followup_order_sent: "How many follow-ups of its stage the lead received.",
  created_start: "Became a lead at this time or later.",
  created_end: "Became a lead at this time or earlier.",
  awaiting_reply: "`true`: the last message is from the account; `false`: from the lead.",
  q: "Searches names and usernames (any part), notes and messages (whole words or their beginnings).",
  tag: "The tag's id; if repeated, the lead must have all of them.",
  opted_out: "Whether the lead opted out.",
  unreachable: "Whether Telegram refuses messages to the lead.",
  sort: "`created_at`, `last_message_at`, `name`, `stage_entered_at` or `field.<id>`; with a leading `-` in descending order. By default newest first.",
};

const LEAD = {
  id: "The lead's id.",
  telegram_user_id: "The person's id at Telegram.",
  name: "The person's name at Telegram.",
  username: "The person's username, without @.",
  stage_id: "The stage that the lead is in.",
  notes: "The user's notes.",
  created_at: "When the conversation became a lead.",
  followup_order_sent: "How many follow-ups of its stage the lead received.",
  last_followup_sent_at: "When the last follow-up was sent.",
  last_user_message_at: "When the person last wrote.",
  last_message_at: "When the newest message was written.",
  opted_out_at: "When the lead opted out; null otherwise.",
  waiting_since: "Since when the lead has been waiting for a reply; null when not waiting.",
  last_message: "The newest message, its first 120 characters; in a list only if included.",
  "last_message.id": "Its id.",
  "last_message.text": "The text; empty if there is none.",
  "last_message.direction": "`in`: from the lead; `out`: from the account.",
  "last_message.kind": "What kind of message it is.",
  "last_message.at": "When.",
  tags: "The lead's tags.",
  fields: "Values of custom fields, by field id.",
  stage_entered_at: "When it entered its stage.",
  match: "The search match; only in search results.",
};

const lead = {
  id: EXAMPLE.lead,
  telegram_user_id: "700100",
  name: "Ann Example",
  username: "ann_example",
  stage_id: EXAMPLE.stage,
  notes: null,
  created_at: EXAMPLE_AT,
  followup_order_sent: 0,
  last_followup_sent_at: null,
  last_user_message_at: EXAMPLE_AT,
  last_message_at: EXAMPLE_AT,
  waiting_since: EXAMPLE_AT,
  tags: [{ id: EXAMPLE.tag, name: "VIP", color: "#1f8a4c" }],
  fields: { [EXAMPLE.field]: 1250.5 },
};

export const LEADS = [
  named("Lead", Lead, "A person who wrote to the connected account.", LEAD),
  named("LeadTag", LeadTag, "A lead's tag.", {
    id: "The tag's id.",
    name: "Its name.",
    color: "Its colour, such as #1f8a4c.",
  }),
  named(
    "FieldValue",
    FieldValue,
    "A value of a custom field: a number for a number, else a text; a date as YYYY-MM-DD; null for none.",
    {},
  ),
  named("LeadMatch", LeadMatch, "A search match in a lead.", {
    where: "Where it was found.",
    text: "The text around it.",
    start: "Its start in the text, in UTF-16 units.",
    length: "Its length, in UTF-16 units.",
    message_id: "The message's id, if it is in a message.",
  }),
  named(
    "LeadsPage",
    LeadsPage,
    "A page of leads.",
    { leads: "The leads.", total: "How many match on all pages." },
    { leads: [lead], total: 1 },
  ),
  named("LeadsQuery", LeadsQuery, "Filters, order and page of a list of leads.", {
    ...FILTERS,
    limit: "How many leads.",
    offset: "How many to skip.",
    fields: "`id` returns only the leads' ids.",
    include: "`last_message` adds the newest message of each conversation.",
  }),
  named("LeadFilter", LeadFilter, "Filters and order of a list of leads.", FILTERS),
  named("BoardQuery", BoardQuery, "The list's filters and order, and the number of leads per column.", {
    ...FILTERS,
    per_stage: "The number of leads per column.",
  }),
  named("Board", Board, "One column per stage.", { columns: "The columns in stage order." }),
  named("BoardColumn", BoardColumn, "One stage's column.", {
    stage_id: "The stage; null for leads without one.",
    total: "How many leads match.",
    value: "The sum of their value field; null if no field is the value field.",
    leads: "The first of them.",
  }),
  named(
    "LeadPatch",
    LeadPatch,
    "The notes, a note to add, the draft of a reply, or another stage.",
    {
      notes: "The new notes; null removes them.",
      add_note: "A note to add below the existing ones.",
      draft: "The unsent text in the composer; null removes it.",
      stage_id: "The stage to move the lead to.",
      followup_order_sent: "Accepted and ignored: a move to another stage starts its follow-ups.",
      last_followup_sent_at: "As followup_order_sent.",
      last_user_message_at: "As followup_order_sent.",
    },
    { notes: "Wants the price by Friday" },
    { add_note: "Has a shop" },
    { draft: "Hello Ann, " },
    { stage_id: EXAMPLE.stage },
  ),
  named("LeadDetail", LeadDetail, "A lead with everything that its page shows.", {
    ...LEAD,
    stage_entered_at: "When it entered its stage.",
    unreachable_reason: "Telegram's code for refusing messages to the lead; null if it does not.",
    unread: "The number of unread messages.",
    automation: "What automation does next, as in GET /api/leads/{id}/automation.",
    "automation.state": "What the lead's automation is doing.",
    draft: "The unsent text in the composer.",
  }),
  named("StepRef", StepRef, "A short form of a follow-up.", {
    id: "The follow-up's id.",
    order: "Its position in its stage, from 0; null after it was deleted.",
    preview: "The beginning of its message.",
  }),
  named("LeadAutomation", LeadAutomation, "What automation does next for a lead.", {
    state: "What the lead's automation is doing.",
    due_at: "When the step will be sent; null where that depends on the user.",
    step: "The next step.",
    words: "What happens next and who must act, in one sentence.",
    words_code: "The sentence's code: the state, or a special case of it.",
    words_params: "The sentence's parameters.",
    stage_entered_at: "When the lead entered its stage.",
  }),
  named(
    "LeadAutomationRequest",
    LeadAutomationRequest,
    "What to do with a lead's automation.",
    {
      action:
        "`skip`: the next step is never sent in this stage entry; `hold`: nothing is sent; `resume`: ends a hold and reverts an opt-out.",
      until: "Until when to hold; by default until resumed.",
    },
    { action: "hold", until: null },
    { action: "resume" },
  ),
  named("BatchAction", BatchAction, "The action on each lead.", {
    type: "The action.",
    stage_id: "The stage to move to.",
    tag_ids: "The tags to add or remove.",
    until: "Until when to hold, a future time; by default until resumed.",
  }),
  named(
    "BatchRequest",
    BatchRequest,
    "One action on many leads.",
    {
      where: "The leads: by their ids, or by the list's filters.",
      "where.ids": "The leads' ids.",
      "where.query":
        "The list's filters as one string, such as q=price&tag=<id>: all leads that match when the request arrives.",
      action: "The action on each lead.",
    },
    { where: { ids: [EXAMPLE.lead] }, action: { type: "tag", tag_ids: [EXAMPLE.tag] } },
    { where: { query: "q=price" as never }, action: { type: "hold" } },
  ),
  named("BatchAnswer", BatchAnswer, "The result, or the job that continues.", {
    changed: "How many leads changed.",
    left: "For an undo: leads not restored, because they were changed in the meantime.",
    undo_id: "The id for an undo within 30 s; null if there is nothing to undo.",
    error: "Why it stopped before the end.",
    ...coded("error"),
    job_id: "The job, for very many leads.",
  }),
  named("BatchJob", BatchJob, "The progress of an action on many leads.", {
    status: "The job's status.",
    done: "How many leads were processed.",
    total: "How many there are.",
    undo_id: "The id for an undo within 30 s after its end.",
    undo_until: "Until when it can be undone; null if it cannot.",
    changed: "How many changed.",
    left: "How many an undo did not restore.",
    error: "Why it failed.",
    ...coded("error"),
  }),
  named("Exclusion", Exclusion, "An excluded person, of whom nothing is stored.", {
    telegram_user_id: "The person's id at Telegram.",
    name: "The name at that time.",
    username: "The username at that time.",
    excluded_at: "Since when.",
    undo_until: "Until when the lead can be restored; null afterwards.",
    by: "Who or what excluded them; null if unknown.",
  }),
  named("ExclusionList", ExclusionList, "Excluded people, newest first.", {}),
  named("ExclusionsQuery", ExclusionsQuery, "A page of exclusions.", {
    before: "The Telegram id of the last one seen.",
    limit: "How many.",
  }),
  named("ExclusionEnd", ExclusionEnd, "The result of ending an exclusion.", {
    lead_id: "The restored lead; null if the person will start as a new lead.",
  }),
  named("ImportRequest", ImportRequest, "A CSV file and the meaning of its columns.", {
    mapping:
      'JSON that says which column is what, by its header: {"Telegram": "telegram_user_id", "Comment": "notes"}. Targets are telegram_user_id, username, notes, tags and field.<id>.',
    dry_run: "`true`: changes nothing; the response says what would change.",
  }),
  named("ImportResult", ImportResult, "What an import did, or would do. Rows count from 1, the header being row 1.", {
    matched: "Rows that match a lead.",
    changed: "Rows that changed something.",
    unmatched:
      "The first skipped rows, each with the reason: no lead or several match, or an earlier row has the same lead.",
    "unmatched.row": "The row.",
    "unmatched.words": "The reason.",
    "unmatched.words_code": "The reason's code.",
    "unmatched.words_params": "The sentence's parameters.",
    unmatched_total: "How many such rows there are.",
    changes: "The first changed values.",
    "changes.row": "The row.",
    "changes.lead": "The lead's id and name.",
    "changes.lead.id": "The lead's id.",
    "changes.lead.name": "The person's name.",
    "changes.target": "What changed.",
    "changes.before": "Its value before.",
    "changes.after": "Its value now.",
  }),
];
