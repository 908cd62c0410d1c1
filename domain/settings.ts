import * as v from "valibot";
import { WINDOW_DEFAULT_END_HOUR, WINDOW_DEFAULT_START_HOUR } from "./limits.ts";

const hour = v.pipe(
  v.number(),
  v.integer("Must be a whole hour."),
  v.minValue(0, "Must be from 0 to 23."),
  v.maxValue(23, "Must be from 0 to 23."),
);

/** The user's automation settings as answered, with the product's defaults. */
export const UserSettings = v.object({
  auto_followups_enabled: v.pipe(
    v.optional(v.nullable(v.boolean()), false),
    v.transform((value) => value ?? false),
  ),
  auto_followup_start_hour: v.pipe(
    v.optional(v.nullable(v.number()), WINDOW_DEFAULT_START_HOUR),
    v.transform((value) => value ?? WINDOW_DEFAULT_START_HOUR),
  ),
  auto_followup_end_hour: v.pipe(
    v.optional(v.nullable(v.number()), WINDOW_DEFAULT_END_HOUR),
    v.transform((value) => value ?? WINDOW_DEFAULT_END_HOUR),
  ),
});
export type UserSettings = v.InferOutput<typeof UserSettings>;

export const UserSettingsUpdate = v.strictObject({
  auto_followups_enabled: v.boolean(),
  auto_followup_start_hour: hour,
  auto_followup_end_hour: hour,
});
export type UserSettingsUpdate = v.InferOutput<typeof UserSettingsUpdate>;

/** What a person has chosen for all of their conversations, with the product's defaults. */
export const Settings = v.object({
  /** whether people are shown that their messages were read before they are answered */
  read_receipts: v.optional(v.boolean(), false),
});
export type Settings = v.InferOutput<typeof Settings>;

/** `PATCH /settings`: what is given changes. */
export const SettingsPatch = v.strictObject({ read_receipts: v.optional(v.boolean()) });
export type SettingsPatch = v.InferOutput<typeof SettingsPatch>;
