import { BatchAction, BatchAnswer, BatchJob, BatchOrder } from "../batch.ts";
import { BoardQuery } from "../board-query.ts";
import { Board, BoardColumn } from "../board.ts";
import { ImportOrder, ImportResult } from "../csv.ts";
import { Exclusion, ExclusionEnd, ExclusionList, ExclusionsQuery } from "../exclusion.ts";
import { LeadAutomation, LeadAutomationOrder } from "../lead-automation.ts";
import { LeadDetail } from "../lead-detail.ts";
import { LeadFilter } from "../lead-filter.ts";
import { FieldValue, Lead, LeadMatch, LeadPatch, LeadsPage, LeadsQuery, LeadTag } from "../lead.ts";
import { StepRef } from "../story.ts";
import { EXAMPLE, EXAMPLE_AT } from "./ids.ts";
import { coded, named } from "./named.ts";

const FILTERS = {
  name: "Part of the name.",
  username: "Part of the username.",
  stage_id: "The stage that the lead is in.",
  followup_order_sent: "How many follow-ups of its stage the lead has got.",
  created_start: "Became a lead at this time or later.",
  created_end: "Became a lead at this time or earlier.",
  awaiting_reply: "`true`: our words are the last; `false`: theirs are.",
  q: "Found in names and usernames (any part), in notes and messages (whole words or their beginnings).",
  tag: "The tag's id; given several times, all of them must hold.",
  opted_out: "Whether the person wrote an opt-out word.",
  unreachable: "Whether Telegram refuses messages to the person.",
  sort: "`created_at`, `last_message_at`, `name`, `stage_entered_at` or `field.<id>`; `-` before it turns the order round. Newest first without it.",
};

const LEAD = {
  id: "The lead's id.",
  telegram_user_id: "The person's id at Telegram.",
  name: "The person's name at Telegram.",
  username: "The person's username, without @.",
  stage_id: "The stage that the lead is in.",
  notes: "What the seller noted.",
  created_at: "When the conversation became a lead.",
  followup_order_sent: "How many follow-ups of its stage the lead has got.",
  last_followup_sent_at: "When the last follow-up left.",
  last_user_message_at: "When the person last wrote.",
  last_message_at: "When anybody last wrote.",
  opted_out_at: "When the person asked for no more messages; null when they did not.",
  waiting_since: "Since when the person waits for an answer; null when nobody waits.",
  last_message: "The newest words of the conversation, the first 120 characters; in a list only when it is included.",
  "last_message.id": "Its id.",
  "last_message.text": "The words; empty where none were sent.",
  "last_message.direction": "`in`: theirs; `out`: ours.",
  "last_message.kind": "What kind of message it is.",
  "last_message.at": "When.",
  tags: "The tags that the lead carries.",
  fields: "Values of your own fields, by the field's id.",
  stage_entered_at: "When it came into its stage.",
  match: "Where the search stands in this lead; only in a list that was searched.",
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
  named("LeadTag", LeadTag, "A tag as a lead carries it.", {
    id: "The tag's id.",
    name: "Its name.",
    color: "Its colour, such as #1f8a4c.",
  }),
  named(
    "FieldValue",
    FieldValue,
    "A value of one of your own fields: a number for a number, else a text; a day as YYYY-MM-DD; null is none.",
    {},
  ),
  named("LeadMatch", LeadMatch, "Where a search stands in a lead.", {
    where: "What it was found in.",
    text: "The text around it.",
    start: "Where it begins in the text, in UTF-16 units.",
    length: "How long it is, in UTF-16 units.",
    message_id: "The message's id where it is one.",
  }),
  named(
    "LeadsPage",
    LeadsPage,
    "A page of leads.",
    { leads: "The leads.", total: "How many match over all pages." },
    { leads: [lead], total: 1 },
  ),
  named("LeadsQuery", LeadsQuery, "Filters, order and page of a list of leads.", {
    ...FILTERS,
    limit: "How many leads.",
    offset: "How many to pass over.",
    fields: "`id` answers the leads' ids alone.",
    include: "`last_message` adds the newest words of each conversation.",
  }),
  named("LeadFilter", LeadFilter, "What narrows a list of leads, and its order.", FILTERS),
  named("BoardQuery", BoardQuery, "The list's filters and sort, and how many leads each column begins with.", {
    ...FILTERS,
    per_stage: "How many leads each column begins with.",
  }),
  named("Board", Board, "A column a stage.", { columns: "The columns, in the order of the stages." }),
  named("BoardColumn", BoardColumn, "One stage's column.", {
    stage_id: "The stage; null for leads without one.",
    total: "How many leads match.",
    value: "What their value field sums up to; null where no field is the value.",
    leads: "The first of them.",
  }),
  named(
    "LeadPatch",
    LeadPatch,
    "Notes, one more note, the draft of an answer, or another stage.",
    {
      notes: "What is noted; null takes it away.",
      add_note: "What is added below the notes that stand there.",
      draft: "What stands unsent in the composer; null takes it away.",
      stage_id: "The stage that the lead moves to.",
      followup_order_sent: "A move starts the stage's follow-ups anew, whether this is given or not.",
      last_followup_sent_at: "As followup_order_sent.",
      last_user_message_at: "As followup_order_sent.",
    },
    { notes: "Wants the price by Friday" },
    { add_note: "Has a shop" },
    { draft: "Hello Ann, " },
    { stage_id: EXAMPLE.stage },
  ),
  named("LeadDetail", LeadDetail, "A lead with what its own page shows.", {
    ...LEAD,
    stage_entered_at: "When it came into its stage.",
    unreachable_reason: "Telegram's name of why messages to the person are refused; null while they are not.",
    unread: "How many messages were not read.",
    automation: "What happens next by itself, as GET /api/leads/{id}/automation answers it.",
    "automation.state": "What the lead's automation is doing.",
    draft: "What stands unsent in the composer, whoever wrote it.",
  }),
  named("StepRef", StepRef, "A follow-up as stories and lists name it.", {
    id: "The follow-up's id.",
    order: "Its place in its stage, from 0; null once it is deleted.",
    preview: "How its message begins.",
  }),
  named("LeadAutomation", LeadAutomation, "What happens to a lead next by itself.", {
    state: "What the lead's automation is doing.",
    due_at: "When the step leaves as things stand; null where that depends on a person.",
    step: "The step that is next.",
    words: "What happens next and who must act, in one sentence.",
    words_code: "Which sentence that is: the state, or a special case of it.",
    words_params: "What the sentence names.",
    stage_entered_at: "When the lead came into its stage.",
  }),
  named(
    "LeadAutomationOrder",
    LeadAutomationOrder,
    "What to do with a lead's automation.",
    {
      action:
        "`skip`: the next step never goes out in this stage entry; `hold`: nothing goes out; `resume`: ends a hold, and takes back an opt-out.",
      until: "Until when to hold; without it until resumed.",
    },
    { action: "hold", until: null },
    { action: "resume" },
  ),
  named("BatchAction", BatchAction, "What is done to each lead.", {
    type: "The action.",
    stage_id: "The stage to move to.",
    tag_ids: "The tags to give or take.",
    until: "Until when to hold, a time in the future; without it until resumed.",
  }),
  named(
    "BatchOrder",
    BatchOrder,
    "One action on many leads.",
    {
      where: "The leads: by their ids, or by the list's filters.",
      "where.ids": "The leads' ids.",
      "where.query":
        "The list's filters as one string, such as q=price&tag=<id>: all that match when the call arrives.",
      action: "What is done to each.",
    },
    { where: { ids: [EXAMPLE.lead] }, action: { type: "tag", tag_ids: [EXAMPLE.tag] } },
    { where: { query: "q=price" as never }, action: { type: "hold" } },
  ),
  named("BatchAnswer", BatchAnswer, "What was done, or the job that goes on doing it.", {
    changed: "How many leads are another than before.",
    left: "Of an undo: leads left as they are, because somebody changed them meanwhile.",
    undo_id: "By which it can be taken back for half a minute; null where nothing can.",
    error: "Why the rest was not done, where it broke off.",
    ...coded("error"),
    job_id: "The job, where there are very many leads.",
  }),
  named("BatchJob", BatchJob, "How far an action on many leads is.", {
    status: "What the job is doing.",
    done: "How many leads were looked at.",
    total: "How many there are.",
    undo_id: "By which it can be taken back for half a minute after its end.",
    undo_until: "Until when; null where nothing can be taken back.",
    changed: "How many are another than before.",
    left: "How many an undo left as they are.",
    error: "Why it failed, in words.",
    ...coded("error"),
  }),
  named("Exclusion", Exclusion, "A person of whom nothing is stored any more.", {
    telegram_user_id: "The person's id at Telegram.",
    name: "The name that they had.",
    username: "The username that they had.",
    excluded_at: "Since when.",
    undo_until: "Until when the lead can come back as it was; null when that is over.",
    by: "Who or what excluded them; null where that is not known.",
  }),
  named("ExclusionList", ExclusionList, "People of whom nothing is stored, newest first.", {}),
  named("ExclusionsQuery", ExclusionsQuery, "A page of exclusions.", {
    before: "The Telegram id of the last one seen.",
    limit: "How many.",
  }),
  named("ExclusionEnd", ExclusionEnd, "What became of an exclusion that was taken back.", {
    lead_id: "The lead that is there again; null when the person starts anew.",
  }),
  named("ImportOrder", ImportOrder, "A CSV file and what its columns mean.", {
    mapping:
      'JSON that says which column is what, by its header: {"Telegram": "telegram_user_id", "Comment": "notes"}. Targets are telegram_user_id, username, notes, tags and field.<id>.',
    dry_run: "`true`: nothing changes, and the answer says what would.",
  }),
  named("ImportResult", ImportResult, "What an import did, or would do. Rows count from 1, the header being row 1.", {
    matched: "Rows whose person was found.",
    changed: "Rows that changed something.",
    unmatched: "The first rows that change nobody, each with the reason.",
    "unmatched.row": "The row.",
    "unmatched.words": "The reason.",
    "unmatched.words_code": "Which reason that is.",
    "unmatched.words_params": "What its sentence names.",
    unmatched_total: "How many such rows there are.",
    changes: "The first values that are another than before.",
    "changes.row": "The row.",
    "changes.lead": "The lead's id and name.",
    "changes.lead.id": "The lead's id.",
    "changes.lead.name": "The person's name.",
    "changes.target": "What changed.",
    "changes.before": "Its value before.",
    "changes.after": "Its value now.",
  }),
];
