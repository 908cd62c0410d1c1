import { msg } from "@lingui/core/runtime-macro";
import * as v from "valibot";
import { reasonEntries } from "./schema-parts.ts";
import { REMINDER_DEFAULT_DELAY_DAYS, REMINDER_MAX_DELAY_DAYS, NAME_MAX_CHARS, TEMPLATE_MAX_CHARS } from "./limits.ts";
import { bracesExcept } from "./placeholders.ts";
import { fieldProblem } from "./schema-message.ts";

const id = v.pipe(
  v.union([v.string(), v.number()]),
  v.transform((value) => String(value)),
  v.string(),
);

export const REMINDER_DEFAULT_TYPE = "stuck";
export const REMINDER_DEFAULT_TEMPLATE = msg`⏰ Lead ${{ name: "{name}" }} is stuck in stage ${{ stage: "{stage}" }}.`;
export const REMINDER_PLACEHOLDERS = ["name", "username", "stage", "days", "link"] as const;

/** A reminder as the API answers it. */
export const Reminder = v.object({
  id,
  type: v.pipe(
    v.optional(v.nullable(v.string()), REMINDER_DEFAULT_TYPE),
    v.transform((type) => type ?? REMINDER_DEFAULT_TYPE),
    v.string(),
  ),
  stage: v.optional(v.nullable(v.string()), ""),
  delay_days: v.pipe(
    v.optional(v.nullable(v.number()), REMINDER_DEFAULT_DELAY_DAYS),
    v.transform((days) => days ?? REMINDER_DEFAULT_DELAY_DAYS),
    v.number(),
  ),
  channel_id: v.optional(v.nullable(v.union([v.string(), v.number()])), ""),
  template: v.optional(v.nullable(v.string()), ""),
  is_enabled: v.pipe(
    v.optional(v.nullable(v.boolean()), true),
    v.transform((value) => value ?? true),
    v.boolean(),
  ),
  /** Why the rule rests, in words for its owner; null while it works. */
  disabled_reason: v.optional(v.nullable(v.string()), null),
  ...reasonEntries("disabled_reason"),
});
export type Reminder = v.InferOutput<typeof Reminder>;
export const ReminderList = v.array(Reminder);

/** Unknown placeholders of a template; they are refused rather than sent unchanged. */
export function unknownPlaceholders(template: string): string[] {
  const known: readonly string[] = REMINDER_PLACEHOLDERS;
  return [...template.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? "").filter((name) => !known.includes(name));
}

/** Braces of a template that are neither filled in nor refused, each once: they go out as written. */
export const plainBraces = (template: string): string[] => bracesExcept(/\{\w+\}/g, template);

/** Fills placeholders in one pass: a value that looks like a placeholder stays as it is. */
export function fillTemplate(template: string, values: Record<(typeof REMINDER_PLACEHOLDERS)[number], string>): string {
  return template.replace(/\{(name|username|stage|days|link)\}/g, (_, key: keyof typeof values) => values[key]);
}

/** Groups are numbered from -1 down, channels from -1000000000001 down (core.telegram.org/api/bots/ids). */
const isMarkedId = (id: number): boolean =>
  (id <= -1 && id >= -999_999_999_999) || (id <= -1_000_000_000_001 && id >= -1_997_852_516_352);

export const ReminderCreate = v.strictObject({
  type: v.optional(v.literal(REMINDER_DEFAULT_TYPE), REMINDER_DEFAULT_TYPE),
  stage: v.pipe(v.string(), v.trim(), v.minLength(1, fieldProblem("stage_missing")), v.maxLength(NAME_MAX_CHARS)),
  delay_days: v.optional(
    v.pipe(v.number(), v.integer(fieldProblem("whole_days")), v.minValue(1), v.maxValue(REMINDER_MAX_DELAY_DAYS)),
    REMINDER_DEFAULT_DELAY_DAYS,
  ),
  channel_id: v.pipe(
    v.string(),
    v.trim(),
    v.regex(/^(me|@[A-Za-z][A-Za-z0-9_]{3,31}|-\d{1,13})$/, fieldProblem("channel_form")),
    v.check((channel) => !channel.startsWith("-") || isMarkedId(Number(channel)), fieldProblem("channel_number")),
  ),
  template: v.pipe(
    v.string(),
    v.trim(),
    v.minLength(1, fieldProblem("reminder_text_missing")),
    v.maxLength(TEMPLATE_MAX_CHARS),
    v.check((template) => unknownPlaceholders(template).length === 0, fieldProblem("placeholder_unknown")),
  ),
});
export type ReminderCreate = v.InferOutput<typeof ReminderCreate>;
export const ReminderPatch = v.strictObject({ is_enabled: v.boolean() });
