import { MONTHS, WEEKDAYS } from "./uzbek.ts";

const ENGLISH_MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");
const ENGLISH_WEEKDAYS = "Mon Tue Wed Thu Fri Sat Sun".split(" ");

type Dates = Pick<Intl.DateTimeFormat, "format" | "formatToParts" | "resolvedOptions">;

/** Formats the dates that react-aria shows: names of months and weekdays in Uzbek, everything else as in British English. */
function uzbekDates(Browser: typeof Intl.DateTimeFormat, options: Intl.DateTimeFormatOptions = {}): Dates {
  const numeric = new Browser("en-GB", options);
  if (options.month !== "long" && options.weekday === undefined) return numeric;
  const named = new Browser("en-GB", {
    ...options,
    ...(options.month && { month: "short" }),
    ...(options.weekday && { weekday: "short" }),
  });
  const format: Dates["format"] = (at) => {
    const parts = Object.fromEntries(named.formatToParts(at).map(({ type, value }) => [type, value]));
    const name = (names: readonly string[], english: readonly string[], part = "") =>
      names[english.indexOf(part.slice(0, 3))];
    const weekday = name(WEEKDAYS, ENGLISH_WEEKDAYS, parts["weekday"]);
    const month = name(MONTHS, ENGLISH_MONTHS, parts["month"]);
    const day = parts["day"] === undefined ? month : month === undefined ? parts["day"] : `${parts["day"]}-${month}`;
    const shown = options.weekday === "narrow" ? weekday?.slice(0, 1).toUpperCase() : weekday;
    return [shown, day, parts["year"]].filter((part) => part !== undefined).join(", ");
  };
  return {
    format,
    formatToParts: (at) => [{ type: "literal", value: format(at) }],
    resolvedOptions: () => numeric.resolvedOptions(),
  };
}

/** Makes `Intl.DateTimeFormat` write Uzbek. Chromium has no Uzbek data and writes `2026 M11 24, Tue`. */
export function supplyUzbekDates(): void {
  Intl.DateTimeFormat = new Proxy(Intl.DateTimeFormat, {
    construct: (Browser, [locale, options]: ConstructorParameters<typeof Intl.DateTimeFormat>) =>
      locale === "uz" ? uzbekDates(Browser, options) : new Browser(locale, options),
  });
}
