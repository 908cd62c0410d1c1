import { i18n, type Messages } from "@lingui/core";
import { messages as english } from "../../locales/en/visitor.po";
import { type Locale, isLocale, isRightToLeft } from "../../domain/locales.ts";
import { type Part, fetchCatalogue } from "./catalogues.ts";
import { markPage } from "./device.ts";
import { tagOf } from "./tag.ts";

/** The parts that must be loaded in every language the page switches to. */
const needed = new Set<Part>(["visitor"]);
const loaded = new Map<Locale, Set<Part>>();
let switches = 0;

const loadedOf = (locale: Locale): Set<Part> => {
  const parts = loaded.get(locale) ?? new Set();
  loaded.set(locale, parts);
  return parts;
};

async function load(locale: Locale, part: Part): Promise<void> {
  const messages = await fetchCatalogue(locale, part);
  i18n.load(locale, isRightToLeft(locale) ? isolated(messages) : messages);
  loadedOf(locale).add(part);
}

const missingOf = (locale: Locale): Part[] => [...needed].filter((part) => !loadedOf(locale).has(part));

function show(locale: Locale): void {
  i18n.activate(locale, tagOf(locale));
  markPage(locale);
}

export const activeLocale = (): Locale => (isLocale(i18n.locale) ? i18n.locale : "en");

/** Switches the page to English, whose visitor texts are always loaded. */
export function activateEnglish(): void {
  switches += 1;
  i18n.load("en", english);
  loadedOf("en").add("visitor");
  show("en");
}

/**
 * Switches the page to a language once its texts have loaded, unless another switch has started since. If they cannot be loaded, rejects
 * and keeps the language.
 */
export async function activateLocale(locale: Locale): Promise<void> {
  switches += 1;
  const current = switches;
  try {
    // Another part may become necessary while some are loading.
    for (let missing = missingOf(locale); missing.length > 0; missing = missingOf(locale)) {
      // oxlint-disable-next-line no-await-in-loop -- the parts of one round load in parallel
      await Promise.all(missing.map((part) => load(locale, part)));
    }
  } catch (error) {
    if (current === switches) throw error;
  }
  if (current === switches) show(locale);
}

/** Loads a part of the texts in the active language. From then on every switch loads it too. */
export async function loadTexts(part: Part): Promise<void> {
  needed.add(part);
  const active = activeLocale();
  if (!loadedOf(active).has(part)) await load(active, part);
}

type Token = string | [name: string, type?: string, choices?: unknown];

const isTokens = (value: unknown): value is Token[] => Array.isArray(value);

function isolatedTokens(tokens: Token[]): Token[] {
  return tokens.flatMap((token): Token[] => {
    if (typeof token === "string") return [token];
    const [name, type, choices] = token;
    if (type === undefined) return ["\u2068", token, "\u2069"];
    if (typeof choices !== "object" || choices === null) return [token];
    const isolatedChoices = Object.entries(choices).map(([choice, words]: [string, unknown]) => [
      choice,
      isTokens(words) ? isolatedTokens(words) : words,
    ]);
    return [[name, type, Object.fromEntries(isolatedChoices)]];
  });
}

/**
 * Puts Unicode isolates around the values in right-to-left texts, so that a left-to-right name, number or address does not change
 * the order of the words around it.
 */
const isolated = (messages: Messages): Messages =>
  Object.fromEntries(
    Object.entries(messages).map(([id, message]) => [
      id,
      isTokens(message) ? (isolatedTokens(message) as typeof message) : message,
    ]),
  );
