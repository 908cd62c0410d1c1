import { AccountImport, ExportQuery } from "../archive.ts";
import { ApiKey, ApiKeyCreate, ApiKeyList, NewApiKey } from "../api-key.ts";
import { Done, Removed } from "../schema-parts.ts";
import { Field, FieldCreate, FieldList, FieldPatch, LeadFieldsPatch, LeadFieldValues } from "../field.ts";
import { Problem } from "../problem.ts";
import { Settings, SettingsPatch, UserSettings, UserSettingsUpdate } from "../settings.ts";
import {
  Conversion,
  ConversionRequest,
  DailyVolume,
  FunnelStep,
  StageShare,
  StatsRange,
  StatsTotal,
} from "../stats.ts";
import { BillingConfirm, BillingStatus, BillingUrl } from "../subscription.ts";
import { CarriedTags, LeadTags, Tag, TagCreate, TagList, TagPatch } from "../tag.ts";
import {
  LoginOutcome,
  QrCode,
  QrComplete,
  SendCode,
  TelegramAccount,
  TelegramAccountPatch,
  TelegramStatus,
  VerifyCode,
  VerifyPassword,
} from "../telegram.ts";
import { AccountDelete } from "../user.ts";
import { View, ViewCreate, ViewList, ViewPatch } from "../view.ts";
import { EXAMPLE, coded, named } from "./named.ts";

const TAG = { name: "Its name.", color: "Its colour, such as #1f8a4c." };
const FIELD = {
  name: "Its name.",
  type: "What it holds.",
  options: "A choice's texts, in their order; null for every other type.",
  is_value: "Whether it is the number that board and stats sum up; one field at most.",
};
const VIEW = {
  name: "Its name.",
  kind: "A list or a board.",
  query: "The list's filters and sort, such as q=price&sort=-created_at.",
  columns: "The columns to show, in their order; none for the list's own.",
};
const AUTOMATION = {
  auto_followups_enabled: "Whether follow-ups go out by themselves.",
  auto_followup_start_hour: "The first hour in which they may.",
  auto_followup_end_hour: "The hour at which they may no more.",
};
const SETTINGS = {
  time_zone: "Whose hours the allowed hours are, as an IANA name; null is UTC.",
  weekdays: "ISO numbers of the days on which automation may send, 1 is Monday.",
  dry_run: "Automatic messages are decided and written to the ledger, and none leaves.",
  read_receipts: "People see that their messages were read before they are answered.",
  opt_out_words: "Who writes one of these as a whole message gets no automatic or bulk message any more.",
  exclude_contacts: "People in the account's contacts become no leads.",
  language: "The language of the screens, as a BCP 47 tag; null follows the browser.",
  setup_dismissed: "The dashboard's checklist of first steps is done or dismissed.",
};
const RANGE = { start: "From this time on, UTC.", end: "Until this time, UTC." };
const STAGE_COUNT = { stage_id: "The stage.", count: "How many leads." };

const KEY = {
  id: "The key's id.",
  name: "What it was called.",
  scopes: "What it may do.",
  hint: "How its secret ends.",
  created_at: "When it was made.",
  last_used_at: "When it was last used, right to the minute; null before.",
};

export const ACCOUNT = [
  named("Done", Done, "The answer of a call that has nothing else to say.", { success: "Always true." }),
  named("Removed", Removed, "What was deleted is gone.", {
    success: "Always true.",
    leads: "From how many leads it was taken.",
  }),
  named("ApiKey", ApiKey, "A key by which a program calls.", KEY),
  named("ApiKeyList", ApiKeyList, "All keys, oldest first.", {}),
  named(
    "ApiKeyCreate",
    ApiKeyCreate,
    "A key to make.",
    {
      name: "What to call it.",
      scopes:
        "What it may do: `read`; `send` to send and to let held or stopped automation go on; `write` for the rest that changes, also what automation sends by.",
    },
    { name: "My sheet", scopes: ["read"] },
  ),
  named("NewApiKey", NewApiKey, "A new key: the only answer that holds its secret.", {
    ...KEY,
    secret: "What to send as Bearer. Keep it.",
  }),
  named(
    "Problem",
    Problem,
    "A refusal: what happened and what to do.",
    {
      message: "For a person to read.",
      code: "For a program to read; it does not change.",
      params:
        "What the message names, for a program that words it itself. Of `invalid_input`: `problems`, what is wrong with each field by code.",
      fields: "Of a request that cannot be taken: what is wrong with which field.",
      current: "Of a save with the code `stale`: what a read answers now.",
    },
    {
      message: "limit: Must be a whole number.",
      code: "invalid_input",
      params: { problems: [{ field: "limit", code: "whole_number", params: {} }] },
      fields: { limit: "Must be a whole number." },
    },
  ),
  named("Tag", Tag, "A mark that leads carry.", { id: "The tag's id.", ...TAG, leads: "How many leads carry it." }),
  named("TagList", TagList, "All tags.", {}, [{ id: EXAMPLE.tag, name: "VIP", color: "#1f8a4c", leads: 1 }]),
  named("TagCreate", TagCreate, "A tag to add.", TAG, { name: "Partner", color: "#1f8a4c" }),
  named("TagPatch", TagPatch, "What changes of a tag.", TAG, { color: "#b3261e" }),
  named(
    "LeadTags",
    LeadTags,
    "The tags that a lead carries from now on.",
    { tag_ids: "The tags' ids; none takes all away." },
    { tag_ids: [EXAMPLE.tag] },
  ),
  named("CarriedTags", CarriedTags, "The tags that a lead carries.", { tags: "The tags." }),
  named("Field", Field, "A field of your own that leads have.", {
    id: "The field's id.",
    ...FIELD,
    leads: "How many leads hold a value of it.",
  }),
  named("FieldList", FieldList, "All of your own fields.", {}, [
    { id: EXAMPLE.field, name: "Budget", type: "number", options: null, is_value: true, leads: 1 },
  ]),
  named("FieldCreate", FieldCreate, "A field to add.", FIELD, {
    name: "Size",
    type: "choice",
    options: ["S", "M", "L"],
  }),
  named(
    "FieldPatch",
    FieldPatch,
    "What changes of a field.",
    {
      name: FIELD.name,
      options: FIELD.options,
      is_value: FIELD.is_value,
      move_to: "Where the leads of removed options go: another option, or null for none.",
    },
    { name: "Budget in euros" },
  ),
  named(
    "LeadFieldsPatch",
    LeadFieldsPatch,
    "Values by the fields' ids; null takes one away, what is not named stays.",
    {},
    { [EXAMPLE.field]: 1250.5 },
  ),
  named("LeadFieldValues", LeadFieldValues, "A lead's values of your own fields.", {
    fields: "Values by the fields' ids.",
  }),
  named("View", View, "A saved view of the leads.", { id: "The view's id.", ...VIEW }),
  named("ViewList", ViewList, "All saved views.", {}),
  named("ViewCreate", ViewCreate, "A view to save.", VIEW, {
    name: "Asked for the price",
    kind: "list",
    query: "q=price&sort=-created_at",
  }),
  named("ViewPatch", ViewPatch, "What changes of a view.", VIEW, { kind: "board" }),
  named("UserSettings", UserSettings, "Whether and when automation writes.", AUTOMATION, {
    auto_followups_enabled: false,
    auto_followup_start_hour: 9,
    auto_followup_end_hour: 22,
  }),
  named("UserSettingsUpdate", UserSettingsUpdate, "Whether and when automation shall write.", AUTOMATION, {
    auto_followups_enabled: false,
    auto_followup_start_hour: 9,
    auto_followup_end_hour: 22,
  }),
  named("Settings", Settings, "What was chosen for automation and for all conversations.", SETTINGS),
  named("SettingsPatch", SettingsPatch, "What changes of the settings.", SETTINGS, {
    time_zone: "Europe/Berlin",
    weekdays: [1, 2, 3, 4, 5],
  }),
  named("StatsRange", StatsRange, "A period, ten years at most.", RANGE),
  named("DailyVolume", DailyVolume, "A day's new leads.", { day: "The day, YYYY-MM-DD.", lead_count: "How many." }),
  named("StatsTotal", StatsTotal, "New leads of a period.", { total: "How many." }),
  named("StageShare", StageShare, "Leads of a period in one stage.", {
    ...STAGE_COUNT,
    value: "What their value field sums up to; absent where no field is the value.",
  }),
  named("FunnelStep", FunnelStep, "How far the leads of a period came.", {
    stage_id: "The stage.",
    name: "Its name.",
    order: "Its place.",
    current: "Leads that are in it now.",
    reached: "Leads whose furthest stage is this one or beyond.",
    next_rate: "Percent of these that reached the next; null for the last, or when there are none.",
    cumulative_rate: "Percent of the first stage's; null when there are none.",
    median_hours_in_stage: "How long leads stay in it.",
  }),
  named(
    "ConversionRequest",
    ConversionRequest,
    "How many leads of a period reached a stage.",
    {
      stage_id: "The stage.",
      ...RANGE,
      stages: "The stages in their order.",
      "stages.id": "The stage's id.",
      "stages.order": "Its place.",
    },
    {
      stage_id: EXAMPLE.stage,
      start: "2026-01-01T00:00:00.000Z",
      end: "2026-12-31T23:59:59.999Z",
      stages: [EXAMPLE.stage],
    },
  ),
  named("Conversion", Conversion, "How many leads of a period reached a stage.", {
    percentage: "Percent, with one decimal; null when there are no leads.",
    count: "How many reached it.",
    total: "How many there are.",
  }),
  named(
    "TelegramStatus",
    TelegramStatus,
    "Whether a Telegram account is connected.",
    { connected: "Whether.", phone: "Its number." },
    { connected: true, phone: "+15551234567" },
  ),
  named("TelegramAccount", TelegramAccount, "The health of the connected account.", {
    connected: "Whether an account is connected.",
    phone: "Its number.",
    connected_at: "Since when.",
    last_activity_at: "When Telegram was last heard.",
    paused_until: "Until when Telegram asks to wait.",
    paused_reason: "Why.",
    stopped_reason: "While Telegram's spam limit rests all automated sends: what it said.",
    ...coded("stopped_reason"),
    unusable_since: "Since when Telegram cannot be reached for it, when that lasts for a minute or longer.",
    device: "The device's name at Telegram.",
    daily_cap: "How many people may be written to out of the blue each day.",
    sent_today: "How many were today.",
    ended_reason: "While not connected: why the last session ended, when the person did not end it.",
    ...coded("ended_reason"),
    ended_at: "While not connected: when the last session ended, when the user did not end it.",
  }),
  named(
    "TelegramAccountPatch",
    TelegramAccountPatch,
    "What changes of the account.",
    { daily_cap: "How many people may be written to out of the blue each day." },
    { daily_cap: 150 },
  ),
  named("SendCode", SendCode, "The phone to log in.", { phone: "In international form." }),
  named("VerifyCode", VerifyCode, "The code that Telegram sent.", { phone: "As for the code.", code: "The code." }),
  named("VerifyPassword", VerifyPassword, "The two-step password.", { password: "The password." }),
  named("QrComplete", QrComplete, "How long to wait for the scan.", { timeout_sec: "Seconds." }),
  named("QrCode", QrCode, "What the QR code says now.", {
    qr_url: "Its text; null once the password is asked for.",
    expires_at: "When it ends.",
  }),
  named("LoginOutcome", LoginOutcome, "A login's outcome.", {
    success: "Whether the account is connected.",
    phone: "Its number.",
    "2fa_required": "The account wants its two-step password.",
    hint: "The hint of that password.",
  }),
  named("BillingUrl", BillingUrl, "Where to go on.", { url: "A page of the card provider." }),
  named("BillingStatus", BillingStatus, "What the subscription is.", {
    status: "Its status; null when there is none.",
  }),
  named("BillingConfirm", BillingConfirm, "A checkout to finish.", { session_id: "The checkout's id." }),
  named("AccountDelete", AccountDelete, "The password, so that nobody else ends the account.", {
    password: "The password.",
  }),
  named("ExportQuery", ExportQuery, "The format of an export.", {
    format: "`json`: one text with every row. `zip`: the open format, which can be imported again.",
  }),
  named("AccountImport", AccountImport, "How far bringing an export in is.", {
    id: "The import's id.",
    status: "What it is doing. A failed one has left nothing behind.",
    total: "Rows that are to come.",
    done: "Rows that came.",
    is_removing: "Whether it was stopped or has failed, and what came is being removed.",
    brought: "How many rows came, by table; null until it is completed.",
    reason: "Why it failed.",
    ...coded("reason"),
    created_at: "When it was ordered.",
    finished_at: "When it ended.",
  }),
];
