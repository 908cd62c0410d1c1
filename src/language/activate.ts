import { i18n } from "@lingui/core";
import { messages as english } from "../../locales/en/visitor.po";
import { type Locale, isLocale, isRightToLeft } from "../../domain/locales.ts";
import { type Part, fetchCatalogue } from "./catalogues.ts";
import { markPage } from "./device.ts";
import { isolated } from "./isolated.ts";
import { tagOf } from "./tag.ts";

/** The parts that the page needs in every language that it switches to. */
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

/** Switches the page to English, whose texts for visitors are always there. */
export function activateEnglish(): void {
  switches += 1;
  i18n.load("en", english);
  loadedOf("en").add("visitor");
  show("en");
}

/**
 * Switches the page to a language once its texts are loaded, unless another switch began since. When they cannot be loaded,
 * rejects and keeps the language.
 */
export async function activateLocale(locale: Locale): Promise<void> {
  switches += 1;
  const current = switches;
  try {
    // Another part may become necessary while some are loading.
    for (let missing = missingOf(locale); missing.length > 0; missing = missingOf(locale)) {
      // oxlint-disable-next-line no-await-in-loop -- the parts of one round come side by side
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
