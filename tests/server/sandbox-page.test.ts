import Fastify from "fastify";
import { afterAll, expect, test } from "vitest";
import { LOCALE_TAGS } from "../../domain/locales.ts";
import { registerSandboxPage } from "../../sandbox/page.ts";
import { openLanguages } from "../../server/core/languages.ts";

const app = Fastify();
registerSandboxPage(app, openLanguages());
afterAll(() => app.close());

async function open(language: string) {
  const { body } = await app.inject({ url: "/sandbox", headers: { "accept-language": language } });
  const [, json = ""] = /<script type="application\/json" id="texts">([^]*?)<\/script>/.exec(body) ?? [];
  return { body, texts: JSON.parse(json) as Record<string, string> };
}

const valuesOf = (text: string | undefined) => text?.match(/\{\w+\}/g)?.toSorted((a, b) => a.localeCompare(b)) ?? [];

test.each(LOCALE_TAGS)("writes the sandbox page in %s", async (locale) => {
  const english = await open("en");
  const { body, texts } = await open(locale);
  expect(body).toContain(`<html lang="${locale}" dir="${locale === "ar" ? "rtl" : "ltr"}">`);
  expect(body).toContain(`<title>${texts["title"]}</title>`);
  expect(texts["intro"] === english.texts["intro"]).toBe(locale === "en");
  expect(Object.entries(texts).map(([name, text]) => [name, valuesOf(text)])).toEqual(
    Object.entries(english.texts).map(([name, text]) => [name, valuesOf(text)]),
  );
});

test("writes the sandbox page in English for a browser without one of its languages", async () => {
  const { texts } = await open("de");
  const armed = "The next send will meet {error}.";
  expect(texts).toMatchObject({ heading: "Sandbox", writeAs: "Write as {name}", armed });
});
