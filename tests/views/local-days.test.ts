import { i18n } from "@lingui/core";
import { afterEach, expect, it } from "vitest";
import { readLocalDay, writeLocalDay } from "../../src/machines/leads/leads.dates.ts";

const speak = (locale: string) => {
  i18n.load(locale, {});
  i18n.activate(locale);
};

afterEach(() => i18n.activate("en"));

it.each([
  ["en", "3/5/2026", "3/5/2026"],
  ["es", "5/3/2026", "03/05/2026"],
  ["ru", "05.03.2026", "03/05/2026"],
  ["ar", "\u200f٥/٣/٢٠٢٦", "03/05/2026"],
  ["es", "31/2/2026", "31/2/2026"],
  ["es", "5/3", "5/3"],
])("parses a day in %s, %s, as %s", (locale, text, day) => {
  speak(locale);
  expect(readLocalDay(text)).toEqual(day);
});

it.each([
  ["en", "3/5/2026", "3/5/2026"],
  ["uz", "3/5/2026", "05/03/2026"],
  ["uk", "03/05/2026", "05.03.2026"],
  ["ru", "soon", "soon"],
])("writes a day in %s, %s, as %s", (locale, day, text) => {
  speak(locale);
  expect(writeLocalDay(day)).toEqual(text);
});
