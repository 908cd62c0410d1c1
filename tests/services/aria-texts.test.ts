import { afterEach, expect, it } from "vitest";
import { supplyAriaTexts } from "../../src/language/aria-texts.ts";
import { supplyUzbekDates } from "../../src/language/forms/uzbek-dates.ts";

type Strings = Record<string, string | ((values: Record<string, string>) => string)>;

const BrowserDates = Intl.DateTimeFormat;
afterEach(() => {
  Intl.DateTimeFormat = BrowserDates;
});

const VALUES = { date: "5 March", dateRange: "5 to 6 March", startDate: "5 March", endDate: "6 March" };

it.each(["autocomplete", "calendar", "dnd", "overlays", "searchfield"])(
  "has react-aria's English of %s",
  async (name) => {
    supplyAriaTexts();
    const supplied = (window as unknown as Record<symbol, Record<string, Strings>>)[
      Symbol.for("react-aria.i18n.strings")
    ];
    const file = `../../node_modules/react-aria/dist/private/intl/${name}/en-US.mjs`;
    const { default: own } = (await import(file)) as { default: Strings };
    const textOf = (strings: Strings, key: string) => {
      const text = strings[key];
      return typeof text === "function" ? text(VALUES) : text;
    };
    const ours = supplied?.[`@react-aria/${name}`] ?? {};
    const keys = Object.keys(ours);
    expect(keys.length).toBeGreaterThan(0);
    expect(keys.map((key) => textOf(ours, key))).toEqual(keys.map((key) => textOf(own, key)));
  },
);

it.each<[Intl.DateTimeFormatOptions, string]>([
  [{ month: "long", year: "numeric" }, "noyabr, 2026"],
  [{ weekday: "long", day: "numeric", month: "long", year: "numeric" }, "seshanba, 24-noyabr, 2026"],
  [{ weekday: "narrow" }, "S"],
  [{ day: "numeric" }, "24"],
  [{ day: "numeric", month: "long" }, "24-noyabr"],
])("gives react-aria the Uzbek date of %j", (options, date) => {
  supplyUzbekDates();
  expect(new Intl.DateTimeFormat("uz", { ...options, timeZone: "UTC" }).format(Date.UTC(2026, 10, 24))).toEqual(date);
});
