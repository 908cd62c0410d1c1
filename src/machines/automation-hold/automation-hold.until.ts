import { msg } from "@lingui/core/runtime-macro";
import type { UiText } from "../../../domain/ui-text.ts";
/** How long a user can hold a lead's automation; `date` needs a day. */
export const HOLD_CHOICES = ["hour", "tomorrow", "week", "date", "open"] as const;
export type HoldChoice = (typeof HOLD_CHOICES)[number];

export const HOLD_LABELS: Record<HoldChoice, UiText> = {
  hour: msg`For an hour`,
  tomorrow: msg`Until tomorrow, 09:00`,
  week: msg`For a week`,
  date: msg`Until a date`,
  open: msg`Until I resume`,
};

/** When a hold until a day ends, in the user's time zone. */
const MORNING_HOUR = 9;

export const isHoldChoice = (text: string): text is HoldChoice => (HOLD_CHOICES as readonly string[]).includes(text);

/**
 * Returns the end of a hold chosen at `now`, as ISO text; null if the user ends it. `date` is a day in the user's time zone, such as
 * `2026-03-05`.
 */
export function holdUntil({ choice, date }: { choice: HoldChoice; date: string }, now: number): string | null {
  if (choice === "open") return null;
  if (choice === "hour") return new Date(now + 3_600_000).toISOString();
  const at = new Date(now);
  if (choice === "date") {
    const [year = 0, month = 1, day = 1] = date.split("-").map(Number);
    return new Date(year, month - 1, day, MORNING_HOUR).toISOString();
  }
  if (choice === "tomorrow") {
    return new Date(at.getFullYear(), at.getMonth(), at.getDate() + 1, MORNING_HOUR).toISOString();
  }
  // Same time of day, also across a clock change.
  at.setDate(at.getDate() + 7);
  return at.toISOString();
}

/** Whether a choice is complete: `date` needs a day. */
export const isWhole = ({ choice, date }: { choice: HoldChoice; date: string }): boolean =>
  choice !== "date" || /^\d{4}-\d{2}-\d{2}$/.test(date);
