import { msg, plural } from "@lingui/core/runtime-macro";
import * as v from "valibot";
import { INPUT_PROBLEMS } from "./input-problems.ts";
import { readCoded, textOfCode } from "./coded.ts";
import { anyOf } from "./lists.ts";
import type { UiText, UiTextOrString } from "./ui-text.ts";

type Choices = { choices: readonly string[] };
/** The API sends a limit as a string. */
type Limit = { limit: string };

/** What can be wrong with a field, by code: the sentence follows the field's name. */
export const FIELD_PROBLEMS = {
  missing: () => msg`Is missing.`,
  object: () => msg`Must be an object.`,
  text: () => msg`Must be a text.`,
  flag: () => msg`Must be true or false.`,
  list: () => msg`Must be a list.`,
  null: () => msg`Must be null.`,
  one_of: ({ choices }: Choices) => msg`Must be ${{ choices: anyOf(choices) }}.`,
  listed: ({ choices }: Choices) => msg`Must be one of ${{ choices }}.`,
  sort: ({ choices }: Choices) => msg`Must be one of ${{ choices }}, with - before it for descending.`,
  at_least: ({ limit }: Limit) => msg`Must be at least ${{ limit }}.`,
  at_most: ({ limit }: Limit) => msg`Must be at most ${{ limit }}.`,
  within: ({ limit }: Limit) =>
    msg`${plural({ limit: Number(limit) }, { one: "Must lie within # of 0.", other: "Must lie within # of 0." })}`,
  too_long: ({ limit, unit }: Limit & { unit: "characters" | "entries" }) =>
    unit === "characters"
      ? msg`May have ${plural({ limit: Number(limit) }, { one: "{limit} character", other: "{limit} characters" })} at most.`
      : msg`May have ${plural({ limit: Number(limit) }, { one: "{limit} entry", other: "{limit} entries" })} at most.`,
  too_long_value: ({ limit }: Limit) =>
    msg`May have ${plural({ limit: Number(limit) }, { one: "# character", other: "# characters" })} at most.`,
  number_range: () => msg`Give a number such as 100, or a range such as 100..200, 100.. or ..200.`,
  day_range: () =>
    msg`Give a day such as 2026-03-05, or a range such as 2026-03-01..2026-03-31, 2026-03-01.. or ..2026-03-31.`,
  range_reversed: ({ from, to }: { from: string; to: string }) =>
    msg`The range ${{ from }}..${{ to }} runs backwards. Write it as ${{ to }}..${{ from }}.`,
  whole_days: () => msg`Must be whole days.`,
  whole_hour: () => msg`Must be a whole hour.`,
  hour_of_day: () => msg`Must be from 0 to 23.`,
  time_zone: () => msg`Must be a time zone's name, such as Europe/Berlin, or null for UTC.`,
  language: ({ tags }: { tags: readonly string[] }) => msg`Must be one of ${{ tags }}, or null to follow the browser.`,
  cursor: () => msg`Must be the next of a page.`,
  not_empty: () => msg`Must not be empty.`,
  request_key: () => msg`Must have 1 to 255 letters, digits or signs, without spaces.`,
  tag_id: () => msg`Must be a tag's id.`,
  colour: () => msg`Must be a colour such as #1f8a4c.`,
  whole_hours: () => msg`Must be whole hours.`,
  whole_number: () => msg`Must be a whole number.`,
  number: () => msg`Must be a number.`,
  number_value: () => msg`Must be a number, such as 1250.5.`,
  day: () => msg`Must be a day such as 2026-03-05.`,
  link: () => msg`Must be a link that begins with https:// or http://.`,
  id: () => msg`Must be an id.`,
  ids: ({ example }: { example: string }) => msg`Must be a list of ids such as ${{ example }}.`,
  mapping: ({ example }: { example: string }) => msg`Must be JSON such as ${{ example }}.`,
  iso_time: () => msg`Must be an ISO time such as 2026-03-05T09:00:00Z.`,
  once: () => msg`Can be given once.`,
  too_many_columns: () => msg`Has too many columns.`,
  message_id: () => msg`Must be a message's id.`,
  scope: () => msg`Must be read, write or send.`,
  batch_action: () => msg`Must be one of move, tag, untag, hold, resume, exclude.`,
  user_id: () => msg`Must be a Telegram user's id.`,
  automation_action: () => msg`Must be skip, hold or resume.`,
  delivery_id: () => msg`Must be a delivery's id.`,
  item_id: () => msg`Must be an item's id.`,
  view_query: () => msg`Must be the list's filters and sort, such as q=price&sort=-created_at.`,
  telegram_number: () => msg`Must be a Telegram user's number, such as 123456789.`,
  username: () => msg`Must be a username, such as @ann_lee.`,
  tag_too_long: ({ limit }: Limit) =>
    msg`A tag may have ${plural({ limit: Number(limit) }, { one: "# character", other: "# characters" })} at most.`,
  json: () => msg`Must be JSON.`,
  base64: () => msg`Must be base64.`,
  // The page tells the user to reload instead.
  unknown_field: () => msg`This call has no such field.`,
} as const satisfies Record<string, (params: never) => UiText>;

const MESSAGES = { ...FIELD_PROBLEMS, ...INPUT_PROBLEMS };

/** Returns the text of a field's problem; null for an unknown code. */
export const fieldText = (code: string | null, params: Record<string, unknown>): UiText | null =>
  textOfCode(MESSAGES, code, params);

/**
 * Returns the text of a field's problem as part of a longer text.
 * @throws for an unknown code, because the longer text needs it
 */
export function fieldClause(code: string | null, params: Record<string, unknown>): UiText {
  const text = fieldText(code, params);
  if (text === null) throw new Error(`no text for the code ${code}`);
  return text;
}

/** Reads a schema's message, as `fieldProblem` wrote it. Any other message is its own text. */
export function readMessage(written: string): Pick<FieldProblem, "code" | "params"> & { text: UiTextOrString } {
  const { code, params } = readCoded(written);
  const text = fieldText(code, params);
  return text === null ? { code: null, params: {}, text: written } : { code, params, text };
}

/** An error response about invalid values. `field` is a path, such as `keywords.3`; without a code the message is English only. */
export const FieldRefusal = v.looseObject({
  params: v.object({
    problems: v.pipe(
      v.array(
        v.object({
          field: v.string(),
          // From FIELD_PROBLEMS or INPUT_PROBLEMS; a newer server may send others.
          code: v.nullable(v.string()),
          params: v.record(v.string(), v.unknown()),
        }),
      ),
      v.minLength(1),
    ),
  }),
});
export type FieldProblem = v.InferOutput<typeof FieldRefusal>["params"]["problems"][number];
