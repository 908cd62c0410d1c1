import type { ForecastItem } from "../../../domain/forecast.ts";
import { hourText } from "../../language/format.ts";
import { kindName } from "../../machines/kit/send-words.ts";

/** The lead's own page; null where a message is for no one lead. */
export const hrefOf = ({ lead }: ForecastItem): string | null =>
  lead === null ? null : `/leads/${encodeURIComponent(lead.id)}`;

/** Whom a message is for. */
export const toWhom = ({ lead }: ForecastItem): string => (lead === null ? "Several leads" : lead.name || "Someone");

/** What it is, such as `Follow-up 2`. */
export const whatOf = ({ kind, step }: ForecastItem): string =>
  step === null || step.order === null ? kindName(kind) : `${kindName(kind)} ${step.order + 1}`;

/** All of it in one line. */
export const lineOf = (item: ForecastItem): string =>
  `${hourText(item.at) ?? ""} ${toWhom(item)} · ${whatOf(item)}`.trim();

const dayOf = (time: number) => new Date(time).setHours(0, 0, 0, 0);

/** The day of a moment as seen from now. */
export function dayName(at: string, now: number): string {
  const days = Math.round((dayOf(Date.parse(at)) - dayOf(now)) / 86_400_000);
  return days <= 0 ? "Today" : "Tomorrow";
}
