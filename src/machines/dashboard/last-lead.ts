import { fullTimeText } from "../../language/format.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How long ago the newest lead came, in words; after a week its full date and time. */
export function lastLeadText(createdAt: string | null, now: number): string {
  if (createdAt === null) return "None yet";
  const time = Date.parse(createdAt);
  if (Number.isNaN(time)) return "—";
  const age = now - time;
  if (age < MINUTE) return "just now";
  if (age < HOUR) return `${Math.floor(age / MINUTE)}m ago`;
  if (age < DAY) return `${Math.floor(age / HOUR)}h ago`;
  if (age < 7 * DAY) return `${Math.floor(age / DAY)}d ago`;
  return fullTimeText(time);
}
