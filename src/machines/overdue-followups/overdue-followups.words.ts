import { leadsText, numberText } from "../../language/format.ts";

const NAMED = 3;

/** Why the follow-ups wait, for any number of them. */
export const waitingWords = (count: number): string =>
  count === 1
    ? "1 follow-up became due while it could not go out. It waits for your word."
    : `${numberText(count)} follow-ups became due while they could not go out. They wait for your word.`;

export const askingWords = (count: number): string =>
  `Send the overdue follow-up to ${leadsText(count)} now, within the allowed hours?`;

export const plannedWords = (count: number): string =>
  `Overdue follow-ups to ${leadsText(count)} go out within the allowed hours.`;

/** The first names of the list and how many follow: 'Ann, Bob and 2 more'; nameless leads are only counted. */
export function namesOf(names: readonly (string | null)[], total: number): { named: string[]; more: number } {
  const named = names.filter((name): name is string => name !== null && name.trim() !== "").slice(0, NAMED);
  return { named, more: total - named.length };
}
