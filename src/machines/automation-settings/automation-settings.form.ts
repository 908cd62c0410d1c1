import { msg } from "@lingui/core/runtime-macro";
import type { UiText, UiTextOrString } from "../../../domain/ui-text.ts";
import { sentences } from "../../language/joining.ts";
import { WINDOW_DEFAULT_END_HOUR, WINDOW_DEFAULT_START_HOUR } from "../../../domain/limits.ts";
import { offsetOf } from "../../../domain/zone.ts";
import { clockIn, hourText, isWholeNumber } from "../../language/format.ts";
import type { UserSettings, UserSettingsUpdate } from "../../../domain/settings.ts";

/** The settings as typed; hours are UTC. */
export type SettingsForm = { isEnabled: boolean; startHour: string; endHour: string };

export const DEFAULT_FORM: SettingsForm = {
  isEnabled: false,
  startHour: String(WINDOW_DEFAULT_START_HOUR),
  endHour: String(WINDOW_DEFAULT_END_HOUR),
};

export const formOf = (settings: UserSettings): SettingsForm => ({
  isEnabled: settings.auto_followups_enabled,
  startHour: String(settings.auto_followup_start_hour),
  endHour: String(settings.auto_followup_end_hour),
});

export const updateOf = (form: SettingsForm): UserSettingsUpdate => ({
  auto_followups_enabled: form.isEnabled,
  auto_followup_start_hour: Number(form.startHour),
  auto_followup_end_hour: Number(form.endHour),
});

/** Says what applies while the form is unsaved; null if nothing differs. `zone` null is unknown. */
export function savedSettingsNote(form: SettingsForm, saved: SettingsForm, zone: string | null): UiTextOrString | null {
  const areHoursEdited = form.startHour !== saved.startHour || form.endHour !== saved.endHour;
  return sentences([
    ...(form.isEnabled === saved.isEnabled ? [] : [saved.isEnabled ? STILL_ON : STILL_OFF]),
    ...(areHoursEdited ? [savedHours(saved, zone)] : []),
  ]);
}

const STILL_ON = msg`Not saved: automatic follow-ups are still on. Press Save Settings to switch them off.`;
const STILL_OFF = msg`Not saved: automatic follow-ups are still off. Press Save Settings to switch them on.`;

function savedHours(saved: SettingsForm, zone: string | null): UiText {
  const hours = hoursOf(saved, zone);
  return hours === null
    ? msg`Hours not saved. Still in force: messages may go out at any hour.`
    : msg`Hours not saved. Still in force: messages go out ${{ hours }}.`;
}

/** Returns the problem of a typed hour; null if it is 0-23. */
export function hourProblem(hour: string): UiText | null {
  return isWholeNumber(hour, 0, 23) ? null : msg`An hour from 0 to 23.`;
}

/** A time of day in the active language, such as `09:00`. */
const clockFace = (hour: number, minute: number) => clockIn("UTC", Date.UTC(2026, 0, 1, hour, minute));

/**
 * The hours of a window: from the start hour to the minute before the end hour. Null if they are equal, which means the whole day. `zone`
 * null is unknown.
 */
function hoursOf(form: SettingsForm, zone: string | null): UiText | null {
  const [start, end] = [Number(form.startHour), Number(form.endHour)];
  if (start === end) return null;
  const [from, to] = [clockFace(start, 0), clockFace((end + 23) % 24, 59)];
  const place = zone?.replaceAll("_", " ");
  if (place === undefined)
    return start > end
      ? msg({ message: msg`from ${{ from }} to ${{ to }} the next day`, comment: "Follows 'Messages go out'." })
      : msg({ message: msg`from ${{ from }} to ${{ to }}`, comment: "Follows 'Messages go out'." });
  return start > end
    ? msg({
        message: msg`from ${{ from }} to ${{ to }} the next day, ${{ zone: place }}`,
        comment: "Follows 'Messages go out'.",
      })
    : msg({ message: msg`from ${{ from }} to ${{ to }}, ${{ zone: place }}`, comment: "Follows 'Messages go out'." });
}

/** Describes the window; null if an hour is invalid. */
export function describeWindow(form: SettingsForm, zone: string | null): UiText | null {
  if (hourProblem(form.startHour) !== null || hourProblem(form.endHour) !== null) return null;
  const hours = hoursOf(form, zone);
  return hours === null ? msg`Messages may go out at any hour.` : msg`Messages go out ${{ hours }}.`;
}

/** Returns today's time of an hour in a zone, in milliseconds; null for an unknown zone. */
function momentOf(hour: number, zone: string, now: number): number | null {
  try {
    const here = new Date(now + offsetOf(zone, now));
    const guess = Date.UTC(here.getUTCFullYear(), here.getUTCMonth(), here.getUTCDate(), hour);
    return guess - offsetOf(zone, guess - offsetOf(zone, guess));
  } catch {
    return null;
  }
}

/** Returns both hours in the zone and in the user's time: `09:00 UTC, 11:00 your time`; null if an hour is invalid. */
export function hoursHere(form: SettingsForm, zone: string, now: number): { start: UiText; end: UiText } | null {
  if (hourProblem(form.startHour) !== null || hourProblem(form.endHour) !== null) return null;
  const describe = (hour: number) => {
    const at = momentOf(hour, zone, now);
    const here = at === null ? null : hourText(new Date(at).toISOString());
    return here === null
      ? null
      : msg`${{ hour: clockFace(hour, 0) }} ${{ zone: zone.replaceAll("_", " ") }}, ${{ here }} your time`;
  };
  const [start, end] = [describe(Number(form.startHour)), describe(Number(form.endHour))];
  return start === null || end === null ? null : { start, end };
}
