import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { type I18n, type Messages, setupI18n } from "@lingui/core";
import { compileMessage } from "@lingui/message-utils/compileMessage";
import { generateMessageId } from "@lingui/message-utils/generateMessageId";
import { parsePo } from "pofile-ts";
import { LOCALE_TAGS, type Locale, matchLocale } from "../../domain/locales.ts";
import { readReason } from "../../domain/stored-reasons.ts";
import { translate, type UiTextOrString } from "../../domain/ui-text.ts";

const FOLDER = path.join(import.meta.dirname, "../../locales");

export type Languages = {
  /** Returns the first language of a preference list, such as `["es-MX", "en"]`, that has a catalogue; English without one. */
  match(wanted: readonly string[]): Locale;
  /** Returns a text in a language; what has no translation is in English. */
  write(text: UiTextOrString, locale: Locale): string;
  /** Returns a function that writes texts in a user's language; in English without one. */
  writerFor(language: string | null): (text: UiTextOrString) => string;
};

/** Reads the server's catalogues, `<locale>/server.po`, each at its first use. */
export function openLanguages(folder = FOLDER): Languages {
  const fileOf = (locale: Locale) => path.join(folder, locale, "server.po");
  const offered = LOCALE_TAGS.filter((locale) => locale === "en" || existsSync(fileOf(locale)));
  const opened = new Map<Locale, I18n>();
  const open = (locale: Locale): I18n => {
    const messages = locale === "en" ? {} : readMessages(fileOf(locale));
    return setupI18n({ locale, messages: { [locale]: messages } }).setMessagesCompiler(compileMessage);
  };
  const match = (wanted: readonly string[]) => matchLocale(wanted, offered);
  const write = (text: UiTextOrString, locale: Locale) => {
    const language = opened.get(locale) ?? open(locale);
    opened.set(locale, language);
    return translate(text, language);
  };
  return {
    match,
    write,
    writerFor(language) {
      const locale = match(language === null ? [] : [language]);
      return (text) => write(text, locale);
    },
  };
}

function readMessages(file: string): Messages {
  const { items } = parsePo(readFileSync(file, "utf8"));
  return Object.fromEntries(
    items.flatMap(({ msgid, msgctxt, msgstr: [text] }) =>
      text ? [[generateMessageId(msgid, msgctxt ?? undefined), compileMessage(text)]] : [],
    ),
  );
}

/** Returns the languages of an Accept-Language header, the preferred first. */
export const acceptedLanguages = (header: string | undefined): string[] =>
  (header ?? "")
    .split(",")
    .map((part) => /^\s*([a-z][\w-]*)\s*(?:;\s*q\s*=\s*([\d.]+))?\s*$/i.exec(part))
    .flatMap((found) => (found?.[1] === undefined ? [] : [{ tag: found[1], weight: Number(found[2] ?? 1) }]))
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag);

const english = setupI18n({ locale: "en", messages: { en: {} } }).setMessagesCompiler(compileMessage);

/** Returns a text in English, the language of the API's answers. */
export const inEnglish = (text: UiTextOrString): string => translate(text, english);

type ReasonFields<Name extends string, Stored> = Record<Name, Stored> &
  Partial<Record<`${Name}_code`, string | null>> &
  Partial<Record<`${Name}_params`, Record<string, unknown>>>;

/** Returns a stored reason as response fields: its English text, its code and its parameters. */
export function reasonFields<const Name extends string, Stored extends string | null>(
  name: Name,
  stored: Stored,
): ReasonFields<Name, Stored> {
  const { code = null, params = {}, text = null } = stored === null ? {} : readReason(stored);
  if (text === null) return { [name]: null } as ReasonFields<Name, Stored>;
  return { [name]: inEnglish(text), [`${name}_code`]: code, [`${name}_params`]: params } as ReasonFields<Name, Stored>;
}
