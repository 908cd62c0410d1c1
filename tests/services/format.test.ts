import { i18n } from "@lingui/core";
import { afterEach, expect, it, vi } from "vitest";
import type { Locale } from "../../domain/locales.ts";

/** Returns the formatting module for a language and a browser's locale. It is imported again, because formats are created once. */
async function formatsIn(browser: string, locale: Locale = "en") {
  vi.resetModules();
  vi.spyOn(navigator, "language", "get").mockReturnValue(browser);
  const formats = await import("../../src/language/format.ts");
  const { i18n: own } = await import("@lingui/core");
  own.load(locale, {});
  own.activate(locale);
  return formats;
}

afterEach(() => i18n.activate("en"));

const moment = new Date(2026, 2, 5, 14, 5, 9);
const at = moment.toISOString();

it("formats in the browser's own English when it has a POSIX locale", async () => {
  const { numberText, percentText } = await formatsIn("en-US@posix");
  expect([numberText(-1_234), percentText(50)]).toEqual(["-1,234", "50%"]);
});

it.each(["en-US", "en-GB", "de"])("writes every time of day in one format in a browser of %s", async (browser) => {
  const { dateText, hourText, momentText } = await formatsIn(browser);
  expect([hourText(at), momentText(at)]).toEqual(["14:05", `${dateText(at)}, 14:05`]);
});

/** Formats the same values in a language. Non-breaking spaces count as spaces. */
async function samples(browser: string, locale: Locale) {
  const formats = await formatsIn(browser, locale);
  return [
    formats.numberText(1_234_567.8),
    formats.percentText(33.3),
    formats.dateText(at),
    formats.shortDateText(at, { hasYear: false }),
    formats.momentText(at),
    formats.dayText("2026-03-05"),
    formats.shortDayText("2026-03-05"),
    formats.agoText(3 * 3_600_000),
    formats.durationText(190),
    formats.roughDurationText(5 * 1_440),
    formats.sizeText(2_400_000),
    formats.weekdayText(1),
    formats.listText(["a", "b", "c"]),
    formats.clockIn("UTC", Date.UTC(2026, 2, 5, 14, 5)),
  ]
    .map((text) => text?.replaceAll(/[\u00a0\u202f]/g, " ").replaceAll("\u200e", ""))
    .join(" | ");
}

it.each<[Locale, string]>([
  [
    "en",
    "1,234,567.8 | 33.3% | 5 March 2026 | 5 Mar | 5 March 2026, 14:05 | 5 March 2026 | 5 Mar | 3h ago | 3 h 10 min | 5 days | 2.3 MB | Monday | a, b and c | 14:05",
  ],
  [
    "ru",
    "1 234 567,8 | 33,3 % | 5 марта 2026 | 5 мар. | 5 марта 2026 в 14:05 | 5 марта 2026 | 5 мар. | 3 ч назад | 3 ч 10 мин | 5 дней | 2,3 МБ | понедельник | a, b и c | 14:05",
  ],
  [
    "uk",
    "1 234 567,8 | 33,3% | 5 березня 2026 | 5 бер. | 5 березня 2026 о 14:05 | 5 березня 2026 | 5 бер. | 3 год тому | 3 год 10 хв | 5 днів | 2,3 МБ | понеділок | a, b і c | 14:05",
  ],
  [
    "uz",
    "1 234 567,8 | 33,3% | 5-mart, 2026 | 5-mar | 5-mart, 2026, 14:05 | 5-mart, 2026 | 5-mar | 3 soat oldin | 3 soat 10 daqiqa | 5 kun | 2,3 MB | dushanba | a, b va c | 14:05",
  ],
  [
    "es",
    "1.234.567,8 | 33,3 % | 5 de marzo de 2026 | 5 mar | 5 de marzo de 2026 a las 14:05 | 5 de marzo de 2026 | 5 mar | hace 3 h | 3 h 10 min | 5 días | 2,3 MB | lunes | a, b y c | 14:05",
  ],
  [
    "pt-BR",
    "1.234.567,8 | 33,3% | 5 de março de 2026 | 5 de mar. | 5 de março de 2026 às 14:05 | 5 de março de 2026 | 5 de mar. | há 3 h | 3 h 10 min | 5 dias | 2,3 MB | segunda-feira | a, b e c | 14:05",
  ],
  [
    "id",
    "1.234.567,8 | 33,3% | 5 Maret 2026 | 5 Mar | 5 Maret 2026 pukul 14.05 | 5 Maret 2026 | 5 Mar | 3 jam lalu | 3 j 10 mnt | 5 hari | 2,3 MB | Senin | a, b, dan c | 14.05",
  ],
  [
    "ar",
    "1,234,567.8 | 33.3% | 5 مارس 2026 | 5 مارس | 5 مارس 2026 في 14:05 | 5 مارس 2026 | 5 مارس | قبل 3 ساعات | 3 س 10 د | 5 أيام | 2.3 م.ب | الاثنين | a وb وc | 14:05",
  ],
])("formats in %s", async (locale, expected) => {
  expect(await samples("de", locale)).toEqual(expected);
});

it.each([
  [3_599_999, "59m ago"],
  [3_600_000, "1h ago"],
  [86_399_999, "23h ago"],
  [86_400_000, "1d ago"],
])("says of an age of %i ms %j", async (age, text) => {
  const { agoText } = await formatsIn("en-GB");
  expect(agoText(age)).toEqual(text);
});

it.each<[Locale, string]>([
  ["en", "0.0625"],
  ["es", "0,0625"],
  ["uz", "0,0625"],
])("keeps all decimals of an exact number in %s", async (locale, text) => {
  const { exactText } = await formatsIn(locale, locale);
  expect(exactText(0.0625)).toEqual(text);
});

it("follows the browser's country, with Western digits and Gregorian calendar", async () => {
  const mexico = await formatsIn("es-MX", "es");
  expect(mexico.numberText(1_234.5)).toEqual("1,234.5");
  const egypt = await formatsIn("ar-EG", "ar");
  expect([egypt.numberText(12.5), egypt.dateText(at)]).toEqual(["12.5", "5 مارس 2026"]);
  const saudi = await formatsIn("ar-SA", "ar");
  expect(saudi.dateText(at)).toEqual("5 مارس 2026");
});

it.each<[Locale, string, string | null]>([
  ["en", "1,234.5", "1234.5"],
  ["en", "1,5", "1.5"],
  ["en", "1,234", "1234"],
  ["en", "1,", null],
  ["en", "-0,125", "-0.125"],
  ["en", "12", "12"],
  ["en", "12,34,567.5", "1234567.5"],
  ["ru", "1,", "1."],
  ["ru", "1\u00a0234,5", "1234.5"],
  ["ru", "1.234", "1.234"],
  ["ru", "−7", "-7"],
  ["uz", "12 345,75", "12345.75"],
  ["es", "1.234", "1234"],
  ["es", "1.234.567,8", "1234567.8"],
  ["es", "1.234.50", null],
  ["en", "1,234,5", null],
  ["es", "1.5", "1.5"],
  ["es", "0.125", "0.125"],
  ["ar", "١٬٢٣٤٫٥", "1234.5"],
  ["en", "۱۲٫۵", "12.5"],
  ["en", "1.2.3", null],
  ["en", "two", null],
  ["en", "", null],
])("parses in %s the number %s as %s", async (locale, text, expected) => {
  const { plainNumber } = await formatsIn("de", locale);
  expect(plainNumber(text)).toEqual(expected);
});
