const NUMBER = new Intl.NumberFormat();
const DAY = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
const SHORT_DAY = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", timeZone: "UTC" });

export const numberText = (value: number | null): string => (value === null ? "-" : NUMBER.format(value));
export const leadsText = (count: number): string => `${NUMBER.format(count)} ${count === 1 ? "lead" : "leads"}`;
/** A percentage that is already rounded; '-' when there is nothing to divide by. */
export const percentText = (rate: number | null): string => (rate === null ? "-" : `${rate}%`);
export const dayText = (day: string): string => DAY.format(new Date(`${day}T00:00:00Z`));
export const shortDayText = (day: string): string => SHORT_DAY.format(new Date(`${day}T00:00:00Z`));

const CHARACTERS = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** Cuts by whole characters, so that an emoji is never halved. */
export function shortened(text: string, letters: number): string {
  const characters = Array.from(CHARACTERS.segment(text), ({ segment }) => segment);
  return characters.length <= letters ? text : `${characters.slice(0, Math.max(1, letters - 1)).join("")}…`;
}
