import { msg } from "@lingui/core/runtime-macro";
import type { Locale } from "../../domain/locales.ts";
import type { UiText } from "../../domain/ui-text.ts";
import type { Logger } from "../services/logger.ts";
import { createSignal } from "../services/signal.ts";
import type { SafeStorage } from "../services/storage.ts";
import { browserLocale, deviceLanguage, firstLocale } from "./device.ts";

type LanguageDeps = {
  storage: SafeStorage;
  notifier: { warn: (message: UiText) => void };
  logger: Logger;
  /** Shows a language, unless another one was chosen in the meantime. */
  activate: (locale: Locale) => Promise<void>;
  /** The language shown. */
  shown: () => Locale;
};

export type LanguageStore = {
  /** The language shown or being loaded. */
  get: () => Locale;
  subscribe: (listener: () => void) => () => void;
  /** Shows a language, null for the browser's, and remembers it on this device. Shows a warning if it cannot be loaded. */
  choose: (language: Locale | null, by: "visitor" | "user") => Promise<void>;
  /** A visitor's choice that no user has saved; null for none. */
  ofVisitor: () => Locale | null;
  /** Calls `listener` when the user chooses a language in another tab, null for the browser's. Returns a function that unsubscribes. */
  watchUser: (listener: (language: Locale | null) => void) => () => void;
  /** Warns that a language was not loaded; the previous one stays. */
  warnNotLoaded: (error: unknown) => void;
  /** Call this while signed out: the next user's settings may have another language. */
  expectUser: () => void;
  isUserNew: () => boolean;
};

const NOT_LOADED = msg`The language could not be loaded. Check your connection and try again.`;

/** The page's language. `get` returns a chosen language at once; the device remembers it once it is shown. */
export function createLanguageStore({ storage, notifier, logger, activate, shown }: LanguageDeps): LanguageStore {
  const device = deviceLanguage(storage);
  const { notify, listen } = createSignal();
  let coming: Locale | null = null;
  let choices = 0;
  let isUserNew = false;
  const warnNotLoaded = (error: unknown) => {
    logger.warn("the language was not loaded", error);
    notifier.warn(NOT_LOADED);
  };
  const become = (next: Locale | null) => {
    coming = next;
    notify();
  };
  /** Shows a language and then calls `onShown`, unless another one was chosen in the meantime. */
  const change = async (locale: Locale, onShown?: () => void) => {
    choices += 1;
    const current = choices;
    become(locale);
    try {
      await activate(locale);
      if (current === choices) onShown?.();
    } catch (error) {
      warnNotLoaded(error);
    } finally {
      if (current === choices) become(null);
    }
  };
  device.watch(() => void change(firstLocale(storage)));
  return {
    get: () => coming ?? shown(),
    subscribe: listen,
    choose: (language, by) => change(language ?? browserLocale(), () => device.set(language, by)),
    ofVisitor: device.ofVisitor,
    watchUser: (listener) => device.watch(() => device.ofVisitor() ?? listener(device.get())),
    warnNotLoaded,
    expectUser() {
      isUserNew = true;
    },
    isUserNew: () => isUserNew,
  };
}
