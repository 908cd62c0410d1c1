import { ALL_DECIMALS, type Forms, type Unit, lazily } from "./forms.ts";

const DAY = { day: "numeric", month: "long", year: "numeric" } as const;
const TIME = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
/** 5 January 1970 was a Monday. */
const mondayUtc = Date.UTC(1970, 0, 5);

/** The word “year” after a date, which Russian and Ukrainian may omit: its full stop would double the sentence's. */
const YEAR_MARK = /\s[гр]\./u;

/** Returns the forms of a language that the browser supports. */
export function intlForms(tag: string): Forms {
  const dates = (options: Intl.DateTimeFormatOptions) => {
    const format = lazily(() => new Intl.DateTimeFormat(tag, options));
    return (at: Date) => format().format(at).replace(YEAR_MARK, "");
  };
  const plain = lazily(() => new Intl.NumberFormat(tag));
  const exact = lazily(() => new Intl.NumberFormat(tag, ALL_DECIMALS));
  const percent = lazily(() => new Intl.NumberFormat(tag, { style: "percent", maximumFractionDigits: 1 }));
  const relative = lazily(() => new Intl.RelativeTimeFormat(tag, { style: "short" }));
  const conjunction = lazily(() => new Intl.ListFormat(tag));
  const [day, dayAndMonth, shortDay] = [
    dates(DAY),
    dates({ day: "numeric", month: "short" }),
    dates({ ...DAY, month: "short" }),
  ];
  const weekdays = {
    long: dates({ weekday: "long", timeZone: "UTC" }),
    short: dates({ weekday: "short", timeZone: "UTC" }),
  };
  const measures = new Map<string, Intl.NumberFormat>();
  const measure = (unit: Unit, decimals: number) => {
    const key = `${unit} ${decimals}`;
    let format = measures.get(key);
    if (format === undefined) {
      const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
      format = new Intl.NumberFormat(tag, {
        style: "unit",
        unit,
        unitDisplay: unit === "day" ? "long" : "short",
        ...digits,
      });
      measures.set(key, format);
    }
    return format;
  };
  return {
    number: (value) => plain().format(value),
    exact: (value) => exact().format(value),
    percent: (value) => percent().format(value / 100),
    date: day,
    shortDate: (at, hasYear) => (hasYear ? shortDay : dayAndMonth)(at),
    time: dates(TIME),
    moment: dates({ ...DAY, ...TIME }),
    full: (at) => at.toLocaleString(tag),
    ago: (count, unit) => relative().format(-count, unit),
    amount: (count, unit, decimals = 0) => measure(unit, decimals).format(count),
    weekday: (day, width) => weekdays[width](new Date(mondayUtc + (day - 1) * 86_400_000)),
    list: (items) => conjunction().format(items),
  };
}
