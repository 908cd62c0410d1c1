import * as v from "valibot";
import { fieldProblem } from "./schema-message.ts";
import { FieldValue } from "./lead.ts";
import { isDay } from "./schema-parts.ts";

export const FIELDS_MAX = 30;
const FIELD_NAME_MAX_CHARS = 60;
const TEXT_MAX_CHARS = 1_000;
const LINK_MAX_CHARS = 2_000;
const OPTIONS_MAX = 100;
/** Numbers up to this one keep their cents, even in sums over many leads. */
const NUMBER_MOST = 1e12;

/** The types of custom fields. */
export const FIELD_TYPES = ["text", "number", "date", "choice", "link"] as const;
export type FieldType = (typeof FIELD_TYPES)[number];

/** A custom field, with the number of leads that have a value. */
export const Field = v.object({
  id: v.string(),
  name: v.string(),
  type: v.picklist(FIELD_TYPES),
  /** the options of a choice, in order; null for other types */
  options: v.optional(v.nullable(v.array(v.string())), null),
  /** the number that the board and Stats sum up; one field at most */
  is_value: v.optional(v.boolean(), false),
  leads: v.optional(v.number(), 0),
});
export type Field = v.InferOutput<typeof Field>;
export const FieldList = v.array(Field);

const name = v.pipe(
  v.string(),
  v.trim(),
  v.minLength(1, fieldProblem("field_name_missing")),
  v.maxLength(FIELD_NAME_MAX_CHARS),
);
const option = v.pipe(
  v.string(),
  v.trim(),
  v.minLength(1, fieldProblem("option_empty")),
  v.maxLength(FIELD_NAME_MAX_CHARS),
);
const options = v.pipe(
  v.array(option),
  v.minLength(1, fieldProblem("option_missing")),
  v.maxLength(OPTIONS_MAX),
  v.check((texts) => new Set(texts).size === texts.length, fieldProblem("option_twice")),
);

export const FieldCreate = v.pipe(
  v.strictObject({
    name,
    type: v.picklist(FIELD_TYPES, fieldProblem("listed", { choices: FIELD_TYPES })),
    options: v.optional(v.nullable(options), null),
    is_value: v.optional(v.boolean(), false),
  }),
  v.forward(
    v.check(({ type, options: texts }) => (type === "choice") === (texts !== null), fieldProblem("options_wrong")),
    ["options"],
  ),
  v.forward(
    v.check(({ type, is_value: isValue }) => !isValue || type === "number", fieldProblem("value_not_a_number")),
    ["is_value"],
  ),
);
export type FieldCreate = v.InferOutput<typeof FieldCreate>;

/** `PATCH /fields/{id}`: changes the given parts; `move_to` is the new option for leads whose option is removed, or null for none. */
export const FieldPatch = v.strictObject({
  name: v.optional(name),
  options: v.optional(options),
  is_value: v.optional(v.boolean()),
  move_to: v.optional(v.nullable(option)),
});
export type FieldPatch = v.InferOutput<typeof FieldPatch>;

/** `PATCH /leads/{id}/fields`: values by field id; null removes a value, missing ones stay. */
export const LeadFieldsPatch = v.record(v.pipe(v.string(), v.uuid(fieldProblem("field_unknown"))), FieldValue);
export type LeadFieldsPatch = v.InferOutput<typeof LeadFieldsPatch>;
export const LeadFieldValues = v.object({ fields: v.record(v.string(), FieldValue) });

const isLink = (text: string): boolean => {
  const url = URL.canParse(text) ? new URL(text) : null;
  return url !== null && (url.protocol === "https:" || url.protocol === "http:");
};

/**
 * Checks a value for a field.
 * @returns the value to store, null for none; or the problem, as a schema reports it
 */
export function readFieldValue(
  { type, options: texts }: Pick<Field, "type" | "options">,
  value: unknown,
): { value: FieldValue } | { problem: string } {
  if (value === null) return { value: null };
  if (type === "number") {
    if (typeof value !== "number" || !Number.isFinite(value)) return { problem: fieldProblem("number_value") };
    if (Math.abs(value) > NUMBER_MOST) return { problem: fieldProblem("within", { limit: String(NUMBER_MOST) }) };
    return { value };
  }
  if (typeof value !== "string") return { problem: fieldProblem("text") };
  const text = value.trim();
  if (text === "") return { value: null };
  const most = type === "link" ? LINK_MAX_CHARS : TEXT_MAX_CHARS;
  if (text.length > most) return { problem: fieldProblem("too_long_value", { limit: String(most) }) };
  if (type === "date" && !isDay(text)) return { problem: fieldProblem("day") };
  if (type === "link" && !isLink(text)) return { problem: fieldProblem("link") };
  if (type === "choice" && !(texts ?? []).includes(text))
    return { problem: fieldProblem("listed", { choices: texts ?? [] }) };
  return { value: text };
}
