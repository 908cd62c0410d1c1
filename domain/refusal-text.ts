import { msg } from "@lingui/core/runtime-macro";
import * as v from "valibot";
import { textOfCode } from "./coded.ts";
import { FIELD_PROBLEMS, type FieldProblem, FieldRefusal, fieldText } from "./field-problems.ts";
import { PROBLEM_MESSAGES } from "./problem-messages.ts";
import type { ServerText, UiText, UiTextOrString } from "./ui-text.ts";

/** The screens' names for the API's fields. */
const NAMES: Readonly<Record<string, UiText>> = {
  auto_followup_end_hour: msg`End hour`,
  auto_followup_start_hour: msg`Start hour`,
  auto_followup_weekdays: msg`Weekdays`,
  channel_id: msg`Channel`,
  code: msg`Code`,
  color: msg`Color`,
  daily_cap: msg`Daily limit`,
  delay_days: msg`Delay`,
  delay_hours: msg`Delay`,
  email: msg`Email`,
  end: msg`End`,
  events: msg`Events`,
  fields: msg`Fields`,
  followup_order: msg`Order`,
  is_value: msg`Value`,
  keywords: msg`Keywords`,
  language: msg`Language`,
  lead_ids: msg`Leads`,
  leads: msg`Leads`,
  media: msg`File`,
  message: msg`Message`,
  name: msg`Name`,
  note: msg`Note`,
  notes: msg`Notes`,
  opt_out_words: msg`Opt-out words`,
  options: msg`Options`,
  password: msg`Password`,
  phone: msg`Phone number`,
  query: msg`Filters`,
  scopes: msg`Scopes`,
  stage_id: msg`Stage`,
  start: msg`Start`,
  tag_ids: msg`Tags`,
  tags: msg`Tags`,
  template: msg`Template`,
  text: msg`Text`,
  throttle: msg`Throttle`,
  time_zone: msg`Time zone`,
  timeout_sec: msg`Timeout`,
  title: msg`Title`,
  type: msg({ message: "Type", comment: "The kind of a field: text, number, day and so on." }),
  until: msg({ message: "Until", comment: "A field for the time at which a hold ends." }),
  url: msg`Address`,
  username: msg`Username`,
  weekdays: msg`Weekdays`,
};

/** A field without a name on the screens keeps the API's name. */
function nameOf(path: string): UiTextOrString {
  const [field = path] = path.split(/[.[]/);
  if (Object.hasOwn(NAMES, field)) return NAMES[field] ?? field;
  const name = field.replace(/_id(s?)$/, "$1").replaceAll("_", " ");
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** An item of a list, such as `keywords.3`: the problem is the item's, not the list's. */
const OF_A_LIST = /^[^.[]+\.\d+/;

/** A sentence about a field as the screens call it, from the `problem` that follows the field's name. */
function sentenceOf({ field, code, params }: FieldProblem, problem: UiTextOrString): UiTextOrString {
  if (code === "unknown_field") return msg`This page is older than the server. Reload it and try again.`;
  if (code === null || !Object.hasOwn(FIELD_PROBLEMS, code)) return problem;
  const name = typeof params["name"] === "string" ? params["name"] : nameOf(field);
  return OF_A_LIST.test(field)
    ? msg`${{ field: name }}, one of the entries: ${{ problem }}`
    : msg`${{ field: name }}: ${{ problem }}`;
}

const inEnglishToo = (text: UiText, english: string): ServerText => ({ ...text, english });

/** Returns the text of a refusal by its code and parameters; null for a code of a newer server. */
function textOf(code: string, params: Record<string, unknown>, english: string): ServerText | null {
  const text = textOfCode(PROBLEM_MESSAGES, code, params);
  return text && inEnglishToo(text, english);
}

const Refusal = v.looseObject({
  message: v.string(),
  code: v.string(),
  params: v.optional(v.record(v.string(), v.unknown()), {}),
  fields: v.optional(v.record(v.string(), v.string()), {}),
});
type Refusal = v.InferOutput<typeof Refusal>;

/** The problem of each field of a refusal, as a text if its code is known. */
function fieldsOf({ message, fields }: Refusal, problems: readonly FieldProblem[]): Record<string, UiTextOrString> {
  const texts = problems.map(({ field, code, params }): [string, UiTextOrString] => {
    const text = fieldText(code, params);
    const english = code !== null && Object.hasOwn(FIELD_PROBLEMS, code) ? fields[field] : undefined;
    return [field, text === null ? (fields[field] ?? message) : inEnglishToo(text, english ?? message)];
  });
  return { ...fields, ...Object.fromEntries(texts) };
}

/** Words a refusal for the page: its message and its fields become texts to translate. What cannot be read stays as it is. */
export function withText(body: unknown): unknown {
  const read = v.safeParse(Refusal, body);
  if (!read.success) return body;
  const { message, code, params, fields } = read.output;
  const named = v.safeParse(FieldRefusal, body);
  if (named.success) {
    const { problems } = named.output.params;
    const [first] = problems;
    const texts = fieldsOf(read.output, problems);
    const text = first === undefined ? message : sentenceOf(first, texts[first.field] ?? message);
    return { ...(body as object), ...(Object.keys(fields).length > 0 && { fields: texts }), message: text };
  }
  const text = textOf(code, params, message);
  if (text === null) return body;
  const texts = Object.fromEntries(Object.keys(fields).map((field) => [field, text]));
  return { ...(body as object), ...(Object.keys(fields).length > 0 && { fields: texts }), message: text };
}
