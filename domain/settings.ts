import * as v from "valibot";
import { WINDOW_DEFAULT_END_HOUR, WINDOW_DEFAULT_START_HOUR } from "./limits.ts";
import { LOCALE_TAGS } from "./locales.ts";
import { fieldProblem } from "./schema-message.ts";

const hour = v.pipe(
  v.number(),
  v.integer(fieldProblem("whole_hour")),
  v.minValue(0, fieldProblem("hour_of_day")),
  v.maxValue(23, fieldProblem("hour_of_day")),
);

/** The user's automation settings, with defaults. */
export const UserSettings = v.object({
  auto_followups_enabled: v.pipe(
    v.optional(v.nullable(v.boolean()), false),
    v.transform((value) => value ?? false),
    v.boolean(),
  ),
  auto_followup_start_hour: v.pipe(
    v.optional(v.nullable(v.number()), WINDOW_DEFAULT_START_HOUR),
    v.transform((value) => value ?? WINDOW_DEFAULT_START_HOUR),
    v.number(),
  ),
  auto_followup_end_hour: v.pipe(
    v.optional(v.nullable(v.number()), WINDOW_DEFAULT_END_HOUR),
    v.transform((value) => value ?? WINDOW_DEFAULT_END_HOUR),
    v.number(),
  ),
});
export type UserSettings = v.InferOutput<typeof UserSettings>;

export const UserSettingsUpdate = v.strictObject({
  auto_followups_enabled: v.boolean(),
  auto_followup_start_hour: hour,
  auto_followup_end_hour: hour,
});
export type UserSettingsUpdate = v.InferOutput<typeof UserSettingsUpdate>;

/** The default opt-out words, in every language of the page: a lead who sends one as a whole message gets no more automatic or bulk messages. */
export const OPT_OUT_WORDS: readonly string[] = [
  "stop",
  "unsubscribe",
  // Russian and Ukrainian
  "стоп",
  "отписаться",
  "відписатися",
  // Uzbek
  "toʻxtatish",
  "voz kechish",
  // Spanish and Portuguese
  "parar",
  "baja",
  "sair",
  "descadastrar",
  // Indonesian
  "berhenti",
  "berhenti berlangganan",
  // Arabic
  "توقف",
  "إلغاء الاشتراك",
  "الغاء الاشتراك",
];
const EVERY_DAY: readonly number[] = [1, 2, 3, 4, 5, 6, 7];

const OPT_OUT_MOST = 50;
const OPT_OUT_CHARS = 64;

/** True for a name of the IANA time zone database, such as Europe/Berlin; offsets such as +02:00 are none. */
function isTimeZone(name: string): boolean {
  if (!/^[a-z]/i.test(name)) return false;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

/** The user's settings for automation and conversations, with defaults. */
export const Settings = v.object({
  /** the time zone of the allowed hours, as an IANA name; null is UTC */
  time_zone: v.optional(v.nullable(v.string()), null),
  /** ISO numbers of the days on which automation may send, 1 is Monday */
  weekdays: v.optional(v.array(v.number()), [...EVERY_DAY]),
  /** automatic messages are recorded and not sent */
  dry_run: v.optional(v.boolean(), false),
  /** whether leads see that their messages were read before the user replies */
  read_receipts: v.optional(v.boolean(), false),
  opt_out_words: v.optional(v.array(v.string()), [...OPT_OUT_WORDS]),
  /** whether people in the account's contacts are left out of the leads */
  exclude_contacts: v.optional(v.boolean(), false),
  /** the language of the screens, as a BCP 47 tag; null follows the browser */
  language: v.optional(v.nullable(v.string()), null),
  /** whether the dashboard's checklist of first steps is done or dismissed */
  setup_dismissed: v.optional(v.boolean(), false),
});
export type Settings = v.InferOutput<typeof Settings>;

/** `PATCH /settings`: what is given changes. */
export const SettingsPatch = v.strictObject({
  time_zone: v.optional(
    v.nullable(v.pipe(v.string(), v.maxLength(64), v.check(isTimeZone, fieldProblem("time_zone")))),
  ),
  weekdays: v.optional(
    v.pipe(
      v.array(v.pipe(v.number(), v.integer(fieldProblem("weekday_number")), v.minValue(1), v.maxValue(7))),
      v.minLength(1, fieldProblem("weekday_missing")),
      v.maxLength(7, fieldProblem("weekday_twice")),
      v.check((days) => new Set(days).size === days.length, fieldProblem("weekday_twice")),
      v.transform((days) => days.toSorted((x, y) => x - y)),
    ),
  ),
  dry_run: v.optional(v.boolean()),
  read_receipts: v.optional(v.boolean()),
  opt_out_words: v.optional(
    v.pipe(
      v.array(
        v.pipe(
          v.string(),
          v.trim(),
          v.minLength(1, fieldProblem("opt_out_word_empty")),
          v.maxLength(OPT_OUT_CHARS, fieldProblem("opt_out_word_too_long", { limit: OPT_OUT_CHARS })),
        ),
      ),
      v.maxLength(OPT_OUT_MOST, fieldProblem("too_many_words", { limit: OPT_OUT_MOST })),
      v.transform((words) => [...new Set(words)]),
    ),
  ),
  exclude_contacts: v.optional(v.boolean()),
  language: v.optional(v.nullable(v.picklist(LOCALE_TAGS, fieldProblem("language", { tags: LOCALE_TAGS })))),
  setup_dismissed: v.optional(v.boolean()),
});
export type SettingsPatch = v.InferOutput<typeof SettingsPatch>;
