import { parse } from "valibot";
import { type Locale, isLocale } from "../../domain/locales.ts";
import { failureOf } from "../../domain/problem.ts";
import { Settings, type SettingsPatch } from "../../domain/settings.ts";
import type { Http } from "./http.ts";
import { createVersions } from "./versions.ts";

/** So many messages are listed of what a dry run held back. */
const LISTED = 20;

const languageOf = ({ language }: Settings): Locale | null =>
  language !== null && isLocale(language) ? language : null;

/** `/settings`: what holds for automation and for all conversations. */
export const createSettingsGateway = (http: Http, versions = createVersions()) => {
  const read = async (signal: AbortSignal): Promise<Settings> => parse(Settings, await http("/settings", { signal }));
  /** Changes one thing, whatever else was changed since. */
  const change = async (body: SettingsPatch): Promise<Settings> =>
    parse(Settings, await http("/settings", { method: "PATCH", body }));
  /** Reads the settings; null where the server does not know the call. */
  const readIfKnown = (signal: AbortSignal): Promise<Settings | null> =>
    read(signal).catch((error: unknown) => {
      if (failureOf(error).status === 404) return null;
      throw error;
    });
  return {
    readIfKnown,
    /** Reads the settings for a form that is saved with `save`. */
    read: async (signal: AbortSignal): Promise<Settings> =>
      parse(Settings, versions.keep(await http.raw("/settings", { signal }))),
    /** Changes what is given, based on the version read last; resolves to what holds from now on. */
    save: async (body: SettingsPatch): Promise<Settings> => {
      const headers = versions.headers();
      return parse(Settings, versions.keep(await http.raw("/settings", { method: "PATCH", body, headers })));
    },

    readReceipts: async (signal: AbortSignal): Promise<boolean> => (await read(signal)).read_receipts,
    /** Resolves to what holds from now on. */
    saveReceipts: async ({ isOn }: { isOn: boolean }): Promise<boolean> =>
      (await change({ read_receipts: isOn })).read_receipts,

    /** The user's language; null follows the browser, as does a language that this page does not know. */
    readLanguage: async (signal: AbortSignal): Promise<Locale | null> => languageOf(await read(signal)),
    /** Resolves to what holds from now on. */
    saveLanguage: async ({ language }: { language: Locale | null }): Promise<Locale | null> =>
      languageOf(await change({ language })),

    readContacts: async (signal: AbortSignal): Promise<boolean> => (await read(signal)).exclude_contacts,
    /** Resolves to what holds from now on. */
    saveContacts: async ({ areLeftOut }: { areLeftOut: boolean }): Promise<boolean> =>
      (await change({ exclude_contacts: areLeftOut })).exclude_contacts,

    /** Whether it is a dry run; null where the server knows none. */
    readDryRun: async (signal: AbortSignal): Promise<boolean | null> => (await readIfKnown(signal))?.dry_run ?? null,
    /** Resolves to what holds from now on. */
    saveDryRun: async ({ isOn }: { isOn: boolean }): Promise<boolean> => (await change({ dry_run: isOn })).dry_run,

    /** What a dry run held back since a moment (ISO), newest first; null for as long as is known. */
    listHeldBack: async ({ since }: { since: string | null }, signal: AbortSignal) => {
      // Few ask for it: what a page of the ledger looks like comes with the first who does.
      const { LedgerPage } = await import("../../domain/ledger.ts");
      const query = { state: "would_send", limit: LISTED };
      const { items, next } = parse(LedgerPage, await http("/ledger", { query, signal }));
      // What was planned before the dry run and came due in it was held back by it: the call's own range is of the planning.
      const begin = since === null ? -Infinity : Date.parse(since);
      const held = items.filter(({ settled_at, planned_at }) => Date.parse(settled_at ?? planned_at) >= begin);
      return { items: held, hasMore: next !== null && held.length === items.length };
    },
  };
};
