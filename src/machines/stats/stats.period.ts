import type { DailyVolume } from "../../../domain/stats.ts";
import type { Range } from "../../services/stats.ts";

export const PERIODS = ["1d", "7d", "30d", "custom"] as const;
export type PeriodName = (typeof PERIODS)[number];
/** Custom dates are days, as a date input gives them, or whole times. */
export type Period = { name: PeriodName; start: string; end: string };

const DAY_MS = 86_400_000;
const DAYS: Record<Exclude<PeriodName, "custom">, number> = { "1d": 1, "7d": 7, "30d": 30 };

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);
const startOf = (day: string) => (day.includes("T") ? day : `${day}T00:00:00.000Z`);
const endOf = (day: string) => (day.includes("T") ? day : `${day}T23:59:59.999Z`);

/** The UTC range of a period that includes today; null if a custom one lacks a date. `now` in milliseconds. */
export function rangeOf(period: Period, now: number): Range | null {
  if (period.name === "custom")
    return period.start === "" || period.end === "" ? null : { start: startOf(period.start), end: endOf(period.end) };
  return { start: startOf(dayOf(now - (DAYS[period.name] - 1) * DAY_MS)), end: endOf(dayOf(now)) };
}

/** One entry per day of the range; days without data count as zero. A reversed range is empty. */
export function fillDays(volume: readonly DailyVolume[], range: Range): DailyVolume[] {
  const counts = new Map<string, number>();
  for (const { day, lead_count } of volume) {
    const key = day.slice(0, 10);
    counts.set(key, (counts.get(key) ?? 0) + lead_count);
  }
  const days: DailyVolume[] = [];
  const last = Date.parse(range.end);
  for (let time = Date.parse(`${range.start.slice(0, 10)}T00:00:00Z`); time <= last; time += DAY_MS) {
    const day = dayOf(time);
    days.push({ day, lead_count: counts.get(day) ?? 0 });
  }
  return days;
}

const DEFAULT: Period = { name: "7d", start: "", end: "" };
const isDay = (text: string | null): text is string =>
  text !== null && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`));

/** Parses the period of a query; the last seven days by default. */
export function periodOf(search: string): Period {
  const query = new URLSearchParams(search);
  const name = PERIODS.find((period) => period === query.get("period")) ?? DEFAULT.name;
  const dayOf = (key: string) => (isDay(query.get(key)) ? (query.get(key) ?? "") : "");
  return name === "custom" ? { name, start: dayOf("start"), end: dayOf("end") } : { ...DEFAULT, name };
}

/** Returns the query of a period's address; empty for the last seven days. */
export function searchOf({ name, start, end }: Period): string {
  if (name === DEFAULT.name) return "";
  const query = new URLSearchParams({ period: name });
  if (name === "custom" && start !== "") query.set("start", start);
  if (name === "custom" && end !== "") query.set("end", end);
  return `?${query.toString()}`;
}
