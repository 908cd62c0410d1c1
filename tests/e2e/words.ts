import fs from "node:fs";
import path from "node:path";
import { parsePo } from "pofile-ts";
import type { Word } from "../../scripts/screenshots/screens.ts";

/** Returns the entries of a language's catalogues. */
export const entriesOf = (locale: string) =>
  ["visitor", "app", "inside"].flatMap((part) => {
    const file = path.join(import.meta.dirname, `../../locales/${locale}/${part}.po`);
    return parsePo(fs.readFileSync(file, "utf8")).items;
  });

/** Returns the translations into a language; other texts, such as names, are unchanged. */
export function wordsIn(locale: string): Word {
  const words = new Map(entriesOf(locale).map(({ msgid, msgstr: [text] }) => [msgid, text]));
  return (english) => words.get(english) ?? english;
}
