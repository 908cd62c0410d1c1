import { PERIODS, type Period } from "./stats.period.ts";

const DEFAULT: Period = { name: "7d", start: "", end: "" };
const isDay = (text: string | null): text is string =>
  text !== null && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`));

/** The period that an address' query names; the last seven days where it names none that can be read. */
export function periodOf(search: string): Period {
  const query = new URLSearchParams(search);
  const name = PERIODS.find((period) => period === query.get("period")) ?? DEFAULT.name;
  const dayOf = (key: string) => (isDay(query.get(key)) ? (query.get(key) ?? "") : "");
  return name === "custom" ? { name, start: dayOf("start"), end: dayOf("end") } : { ...DEFAULT, name };
}

/** The query of the address that brings the period back: empty for the last seven days. */
export function searchOf({ name, start, end }: Period): string {
  if (name === DEFAULT.name) return "";
  const query = new URLSearchParams({ period: name });
  if (name === "custom" && start !== "") query.set("start", start);
  if (name === "custom" && end !== "") query.set("end", end);
  return `?${query.toString()}`;
}
