import * as v from "valibot";
import { readMessage } from "../../../domain/field-problems.ts";
import { SettingsPatch, type Settings } from "../../../domain/settings.ts";
import type { UiTextOrString } from "../../../domain/ui-text.ts";
import { refusedFields } from "../kit/writing.ts";

/** The settings as typed: '' is UTC, weekdays are ISO numbers such as `12345`, opt-out words are one per line. */
export type SettingsForm = { timeZone: string; weekdays: string; optOutWords: string };
type SettingsField = keyof SettingsForm;
export type FieldProblems = Partial<Record<SettingsField, UiTextOrString>>;

export const BLANK_FORM: SettingsForm = { timeZone: "", weekdays: "", optOutWords: "" };

const linesOf = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);

export const formOf = ({ time_zone, weekdays, opt_out_words }: Settings): SettingsForm => ({
  timeZone: time_zone ?? "",
  weekdays: weekdays.join(""),
  optOutWords: opt_out_words.join("\n"),
});

/** Returns only the changed fields. */
export const patchOf = (form: SettingsForm, saved: SettingsForm): SettingsPatch => ({
  ...(form.timeZone === saved.timeZone ? {} : { time_zone: form.timeZone === "" ? null : form.timeZone }),
  ...(form.weekdays === saved.weekdays ? {} : { weekdays: Array.from(form.weekdays, Number) }),
  ...(form.optOutWords === saved.optOutWords ? {} : { opt_out_words: linesOf(form.optOutWords) }),
});

const FIELDS: Record<string, SettingsField> = {
  time_zone: "timeZone",
  weekdays: "weekdays",
  opt_out_words: "optOutWords",
};

/** Returns what the server would refuse, by field, in its own words. */
export function problemsOf(form: SettingsForm, saved: SettingsForm): FieldProblems {
  const checked = v.safeParse(SettingsPatch, patchOf(form, saved));
  const problems: FieldProblems = {};
  for (const { path, message } of checked.issues ?? []) {
    const field = FIELDS[String(path?.[0]?.key)];
    if (field !== undefined) problems[field] ??= readMessage(message).text;
  }
  return problems;
}

/** Returns a refusal's problems by field. */
export const refusedIn = (error: unknown): FieldProblems =>
  Object.fromEntries(
    Object.entries(refusedFields(error)).flatMap(([name, message]) => {
      const field = FIELDS[name];
      return field === undefined ? [] : [[field, message]];
    }),
  );

/** Toggles one of the weekdays. */
export const withDay = (weekdays: string, day: number): string =>
  [1, 2, 3, 4, 5, 6, 7].filter((known) => weekdays.includes(String(known)) !== (known === day)).join("");
