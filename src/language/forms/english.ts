import { ALL_DECIMALS, type Forms, clock, lazily } from "./forms.ts";

const MONTHS = "January February March April May June July August September October November December".split(" ");
const WEEKDAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split(" ");
const SHORT = { minute: "m", hour: "h", day: "d" };
const UNITS = { minute: "min", hour: "h", kilobyte: "KB", megabyte: "MB" };

/** The English locales that group thousands by commas. */
const GROUPS_BY_COMMA = /^en(-(US|GB|AU|CA|NZ|IE))?$/;

/** English. Dates, times and most numbers look the same in every browser: a list does not have to wait for `Intl`. */
export function englishForms(tag: string): Forms {
  const numbers = lazily(() => new Intl.NumberFormat(tag));
  const exact = lazily(() => new Intl.NumberFormat(tag, ALL_DECIMALS));
  const rounded = lazily(() => new Intl.NumberFormat(tag, { maximumFractionDigits: 1 }));
  const number = (value: number) =>
    Number.isSafeInteger(value) && GROUPS_BY_COMMA.test(tag)
      ? String(value).replace(/\B(?=(\d{3})+$)/g, ",")
      : numbers().format(value);
  const date = (at: Date) => `${at.getDate()} ${MONTHS[at.getMonth()]} ${at.getFullYear()}`;
  return {
    number,
    exact: (value) => (Number.isSafeInteger(value) ? number(value) : exact().format(value)),
    percent: (value) => `${rounded().format(value)}%`,
    date,
    shortDate: (at, hasYear) =>
      `${at.getDate()} ${MONTHS[at.getMonth()]?.slice(0, 3)}${hasYear ? ` ${at.getFullYear()}` : ""}`,
    time: clock,
    moment: (at) => `${date(at)}, ${clock(at)}`,
    full: (at) => at.toLocaleString(tag),
    ago: (count, unit) => `${count}${SHORT[unit]} ago`,
    amount: (count, unit, decimals) =>
      `${decimals === undefined ? count : count.toFixed(decimals)} ${unit === "day" ? (count === 1 ? "day" : "days") : UNITS[unit]}`,
    weekday: (day, width) => WEEKDAYS[day - 1]?.slice(0, width === "short" ? 3 : undefined) ?? "",
    list: (items) => (items.length < 2 ? (items[0] ?? "") : `${items.slice(0, -1).join(", ")} and ${items.at(-1)}`),
  };
}
