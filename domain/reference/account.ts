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
import { LeadTagList, LeadTags, Tag, TagCreate, TagList, TagPatch } from "../tag.ts";
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
  type: "Its type.",
  options: "The options of a choice, in order; null for other types.",
  is_value: "Whether board and stats sum up this number; at most one field.",
};
const VIEW = {
  name: "Its name.",
  kind: "A list or a board.",
  query: "The list's filters and sort, such as q=price&sort=-created_at.",
  columns: "The columns in order; none for the default ones.",
};
const AUTOMATION = {
  auto_followups_enabled: "Whether follow-ups are sent automatically.",
  auto_followup_start_hour: "The first hour in which they may be sent.",
  auto_followup_end_hour: "The hour from which they may not be sent.",
};
const SETTINGS = {
  time_zone: "The time zone of the allowed hours, as an IANA name; null is UTC.",
  weekdays: "ISO numbers of the days on which automation may send, 1 is Monday.",
  dry_run: "Automatic messages are recorded in the ledger and not sent.",
  read_receipts: "Leads see that their messages were read before you reply.",
  opt_out_words: "A lead who sends one of these as a whole message gets no more automatic or bulk messages.",
  exclude_contacts: "People in the account's contacts do not become leads.",
  language: "The language of the screens, as a BCP 47 tag; null follows the browser.",
  setup_dismissed: "The checklist of first steps on the dashboard is done or dismissed.",
};
const RANGE = { start: "From this time on, UTC.", end: "Until this time, UTC." };
const STAGE_COUNT = { stage_id: "The stage.", count: "How many leads." };

const KEY = {
  id: "The key's id.",
  name: "Its name.",
  scopes: "What it may do.",
  hint: "The end of its secret.",
  created_at: "When it was created.",
  last_used_at: "When it was last used, to the minute; null if never.",
};

export const ACCOUNT = [
  named("Done", Done, "The response of a call without a result.", { success: "Always true." }),
  named("Removed", Removed, "The item was deleted.", {
    success: "Always true.",
    leads: "How many leads had it.",
  }),
  named("ApiKey", ApiKey, "An API key.", KEY),
  named("ApiKeyList", ApiKeyList, "All keys, oldest first.", {}),
  named(
    "ApiKeyCreate",
    ApiKeyCreate,
    "A key to create.",
    {
      name: "Its name.",
      scopes:
        "What it may do: `read`; `send` to send, and to resume held or stopped automation; `write` for all other changes, including those that automation acts on.",
    },
    { name: "My sheet", scopes: ["read"] },
  ),
  named("NewApiKey", NewApiKey, "A new key: the only response with its secret.", {
    ...KEY,
    secret: "Send it as a Bearer token. Store it: it is not shown again.",
  }),
  named(
    "Problem",
    Problem,
    "An error: what happened and what to do.",
    {
      message: "For people.",
      code: "For programs; it never changes.",
      params:
        "The message's parameters, for programs that translate it. For `invalid_input`: `problems`, the problem of each field by code.",
      fields: "For an invalid request: the problem of each field.",
      current: "For the code `stale`: the current value.",
    },
    {
      message: "limit: Must be a whole number.",
      code: "invalid_input",
      params: { problems: [{ field: "limit", code: "whole_number", params: {} }] },
      fields: { limit: "Must be a whole number." },
    },
  ),
  named("Tag", Tag, "A tag for leads.", { id: "The tag's id.", ...TAG, leads: "How many leads have it." }),
  named("TagList", TagList, "All tags.", {}, [{ id: EXAMPLE.tag, name: "VIP", color: "#1f8a4c", leads: 1 }]),
  named("TagCreate", TagCreate, "A tag to add.", TAG, { name: "Partner", color: "#1f8a4c" }),
  named("TagPatch", TagPatch, "Changes to a tag.", TAG, { color: "#b3261e" }),
  named(
    "LeadTags",
    LeadTags,
    "The lead's new tags.",
    { tag_ids: "The tags' ids; an empty list removes all." },
    { tag_ids: [EXAMPLE.tag] },
  ),
  named("LeadTagList", LeadTagList, "A lead's tags.", { tags: "The tags." }),
  named("Field", Field, "A custom field of leads.", {
    id: "The field's id.",
    ...FIELD,
    leads: "How many leads have a value.",
  }),
  named("FieldList", FieldList, "All custom fields.", {}, [
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
    "Changes to a field.",
    {
      name: FIELD.name,
      options: FIELD.options,
      is_value: FIELD.is_value,
      move_to: "The new option for leads whose option is removed, or null for none.",
    },
    { name: "Budget in euros" },
  ),
  named(
    "LeadFieldsPatch",
    LeadFieldsPatch,
    "Values by field id; null removes a value, missing ones stay.",
    {},
    { [EXAMPLE.field]: 1250.5 },
  ),
  named("LeadFieldValues", LeadFieldValues, "A lead's values of custom fields.", {
    fields: "Values by field id.",
  }),
  named("View", View, "A saved view of the leads.", { id: "The view's id.", ...VIEW }),
  named("ViewList", ViewList, "All saved views.", {}),
  named("ViewCreate", ViewCreate, "A view to save.", VIEW, {
    name: "Asked for the price",
    kind: "list",
    query: "q=price&sort=-created_at",
  }),
  named("ViewPatch", ViewPatch, "Changes to a view.", VIEW, { kind: "board" }),
  named("UserSettings", UserSettings, "Whether and when automation sends.", AUTOMATION, {
    auto_followups_enabled: false,
    auto_followup_start_hour: 9,
    auto_followup_end_hour: 22,
  }),
  named("UserSettingsUpdate", UserSettingsUpdate, "Whether and when automation should send.", AUTOMATION, {
    auto_followups_enabled: false,
    auto_followup_start_hour: 9,
    auto_followup_end_hour: 22,
  }),
  named("Settings", Settings, "The settings for automation and conversations.", SETTINGS),
  named("SettingsPatch", SettingsPatch, "Changes to the settings.", SETTINGS, {
    time_zone: "Europe/Berlin",
    weekdays: [1, 2, 3, 4, 5],
  }),
  named("StatsRange", StatsRange, "A period of at most ten years.", RANGE),
  named("DailyVolume", DailyVolume, "A day's new leads.", { day: "The day, YYYY-MM-DD.", lead_count: "How many." }),
  named("StatsTotal", StatsTotal, "New leads of a period.", { total: "How many." }),
  named("StageShare", StageShare, "Leads of a period in one stage.", {
    ...STAGE_COUNT,
    value: "The sum of their value field; absent if no field is the value field.",
  }),
  named("FunnelStep", FunnelStep, "How far the leads of a period got.", {
    stage_id: "The stage.",
    name: "Its name.",
    order: "Its position.",
    current: "Leads that are in it now.",
    reached: "Leads whose furthest stage is this one or beyond.",
    next_rate: "Percentage of these that reached the next stage; null for the last stage or without leads.",
    cumulative_rate: "Percentage of the first stage's leads; null without leads.",
    median_hours_in_stage: "How long leads stay in it.",
  }),
  named(
    "ConversionRequest",
    ConversionRequest,
    "The share of a period's leads that reached a stage.",
    {
      stage_id: "The stage.",
      ...RANGE,
      stages: "The stages in order.",
      "stages.id": "The stage's id.",
      "stages.order": "Its position.",
    },
    {
      stage_id: EXAMPLE.stage,
      start: "2026-01-01T00:00:00.000Z",
      end: "2026-12-31T23:59:59.999Z",
      stages: [EXAMPLE.stage],
    },
  ),
  named("Conversion", Conversion, "The share of a period's leads that reached a stage.", {
    percentage: "Percent, with one decimal; null when there are no leads.",
    count: "How many reached it.",
    total: "How many there are.",
  }),
  named(
    "TelegramStatus",
    TelegramStatus,
    "Whether a Telegram account is connected.",
    { connected: "Whether an account is connected.", phone: "Its phone number." },
    { connected: true, phone: "+15551234567" },
  ),
  named("TelegramAccount", TelegramAccount, "The health of the connected account.", {
    connected: "Whether an account is connected.",
    phone: "Its number.",
    connected_at: "Since when.",
    last_activity_at: "When Telegram last responded.",
    paused_until: "Until when Telegram requires a pause.",
    paused_reason: "Why.",
    stopped_reason: "While Telegram's spam limit stops all automated sends: why.",
    ...coded("stopped_reason"),
    unusable_since: "Since when Telegram has been unreachable for the account; null for less than a minute.",
    device: "The device's name at Telegram.",
    daily_cap: "Daily limit of cold messages.",
    sent_today: "Cold messages sent today.",
    ended_reason: "While not connected: why the last session ended, unless the user ended it.",
    ...coded("ended_reason"),
    ended_at: "While not connected: when the last session ended, unless the user ended it.",
  }),
  named(
    "TelegramAccountPatch",
    TelegramAccountPatch,
    "Changes to the account.",
    { daily_cap: "Daily limit of cold messages." },
    { daily_cap: 150 },
  ),
  named("SendCode", SendCode, "The phone number to log in with.", { phone: "In international form." }),
  named("VerifyCode", VerifyCode, "The code that Telegram sent.", { phone: "As for the code.", code: "The code." }),
  named("VerifyPassword", VerifyPassword, "The two-step password.", { password: "The password." }),
  named("QrComplete", QrComplete, "How long to wait for the scan.", { timeout_sec: "Seconds." }),
  named("QrCode", QrCode, "The current QR code.", {
    qr_url: "Its text; null once the password is required.",
    expires_at: "When it expires.",
  }),
  named("LoginOutcome", LoginOutcome, "A login's outcome.", {
    success: "Whether the account is connected.",
    phone: "Its number.",
    "2fa_required": "The account requires its two-step password.",
    hint: "The hint of that password.",
  }),
  named("BillingUrl", BillingUrl, "Where to continue.", { url: "A page of the card provider." }),
  named("BillingStatus", BillingStatus, "The subscription's status.", {
    status: "The status; null without a subscription.",
  }),
  named("BillingConfirm", BillingConfirm, "A checkout to finish.", { session_id: "The checkout's id." }),
  named("AccountDelete", AccountDelete, "The password, to confirm the deletion.", {
    password: "The password.",
  }),
  named("ExportQuery", ExportQuery, "The format of an export.", {
    format: "`json`: one file with every row. `zip`: the open format, which can be imported.",
  }),
  named("AccountImport", AccountImport, "The progress of an import.", {
    id: "The import's id.",
    status: "Its status. A failed import leaves nothing behind.",
    total: "Rows to import.",
    done: "Rows imported so far.",
    is_removing: "Whether it was stopped or failed, and imported rows are being removed.",
    brought: "Imported rows by table; null until it is completed.",
    reason: "Why it failed.",
    ...coded("reason"),
    created_at: "When it was requested.",
    finished_at: "When it ended.",
  }),
];
