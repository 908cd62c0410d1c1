import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { msg, plural } from "@lingui/core/runtime-macro";
import { expect, test } from "vitest";
import { acceptedLanguages, openLanguages } from "../../server/core/languages.ts";
import { newFolder } from "../support/run-folder.ts";

const folder = newFolder();
const days = (count: number) => msg`It works for ${plural({ count }, { one: "# day", other: "# days" })}.`;

for (const locale of ["ru", "pt-BR"]) mkdirSync(path.join(folder, locale));
writeFileSync(path.join(folder, "pt-BR/server.po"), "");
writeFileSync(
  path.join(folder, "ru/server.po"),
  `msgid "Sign in here:"
msgstr "Войдите здесь:"

msgctxt "a key"
msgid "Sign in here:"
msgstr "Не то:"

msgid "It works for {count, plural, one {# day} other {# days}}."
msgstr "Действует {count, plural, one {# день} few {# дня} many {# дней} other {# дня}}."
`,
);

test("writes a text in the chosen language, or in English without a translation", () => {
  const { write } = openLanguages(folder);
  const texts = [msg`Sign in here:`, days(3), msg`Welcome to Leadloom.`, "a link"];
  const russian = ["Войдите здесь:", "Действует 3 дня.", "Welcome to Leadloom.", "a link"];
  expect(texts.map((text) => write(text, "ru"))).toEqual(russian);
  const english = ["Sign in here:", "It works for 3 days.", "Welcome to Leadloom.", "a link"];
  expect(texts.map((text) => write(text, "en"))).toEqual(english);
});

test.each([
  ["ru-RU,ru;q=0.9,en;q=0.8", "ru"],
  ["en;q=0.4, PT-pt ; q=0.8", "pt-BR"],
  ["de-DE,de;q=0.9", "en"],
  ["fr, en;q=0.5, ru;q=0.3", "en"],
  ["ru;q=0, *", "en"],
  ["", "en"],
  [undefined, "en"],
])("responds to a browser that accepts %j in %s", (header, locale) => {
  expect(openLanguages(folder).match(acceptedLanguages(header))).toBe(locale);
});
