import { type Forms, clock, twoDigits } from "./forms.ts";
import { intlForms } from "./intl.ts";

export const MONTHS = "yanvar fevral mart aprel may iyun iyul avgust sentabr oktabr noyabr dekabr".split(" ");
const SHORT_MONTHS = "yan fev mar apr may iyn iyl avg sen okt noy dek".split(" ");
export const WEEKDAYS = "dushanba seshanba chorshanba payshanba juma shanba yakshanba".split(" ");
const SHORT_WEEKDAYS = "dush sesh chor pay jum shan yak".split(" ");
const UNITS = { minute: "daqiqa", hour: "soat", day: "kun", kilobyte: "KB", megabyte: "MB" };

/**
 * Uzbek, which Chromium has no data for: it would write `2026 M03 5`, `-2 h` and `1,234,567.8`. The forms are CLDR's.
 * @param tag a language that formats numbers as Uzbek does
 */
export function uzbekForms(tag: string): Forms {
  const { number, exact } = intlForms(tag);
  const date = (at: Date) => `${at.getDate()}-${MONTHS[at.getMonth()]}, ${at.getFullYear()}`;
  const day = (at: Date) => `${twoDigits(at.getDate())}/${twoDigits(at.getMonth() + 1)}/${at.getFullYear()}`;
  return {
    number,
    exact,
    percent: (value) => `${number(Math.round(value * 10) / 10)}%`,
    date,
    shortDate: (at, hasYear) =>
      `${at.getDate()}-${SHORT_MONTHS[at.getMonth()]}${hasYear ? `, ${at.getFullYear()}` : ""}`,
    time: clock,
    moment: (at) => `${date(at)}, ${clock(at)}`,
    full: (at) => `${day(at)}, ${clock(at)}:${twoDigits(at.getSeconds())}`,
    ago: (count, unit) => `${number(count)} ${UNITS[unit]} oldin`,
    amount: (count, unit, decimals = 0) => `${number(Number(count.toFixed(decimals)))} ${UNITS[unit]}`,
    weekday: (day, width) => (width === "short" ? SHORT_WEEKDAYS : WEEKDAYS)[day - 1] ?? "",
    list: (items) => (items.length < 2 ? (items[0] ?? "") : `${items.slice(0, -1).join(", ")} va ${items.at(-1)}`),
  };
}
