import { msg, plural } from "@lingui/core/runtime-macro";
import type { UiText } from "../../../domain/ui-text.ts";

const NAMED = 3;

/** Says why the follow-ups are waiting. */
export const waitingMessage = (count: number): UiText =>
  msg`${plural(
    { count },
    {
      one: "# follow-up became due while it could not be sent. It is waiting for your approval.",
      other: "# follow-ups became due while they could not be sent. They are waiting for your approval.",
    },
  )}`;

export const confirmMessage = (count: number): UiText =>
  msg`${plural(
    { count },
    {
      one: "Send the overdue follow-up to # lead now, within the allowed hours?",
      other: "Send the overdue follow-up to # leads now, within the allowed hours?",
    },
  )}`;

export const plannedMessage = (count: number): UiText =>
  msg`${plural(
    { count },
    {
      one: "Overdue follow-ups to # lead go out within the allowed hours.",
      other: "Overdue follow-ups to # leads go out within the allowed hours.",
    },
  )}`;

/** Returns the first names of the list and how many follow: 'Ann, Bob and 2 more'; leads without a name are only counted. */
export function namesOf(names: readonly (string | null)[], total: number): { named: string[]; more: number } {
  const named = names.filter((name): name is string => name !== null && name.trim() !== "").slice(0, NAMED);
  return { named, more: total - named.length };
}
