import { parse } from "valibot";
import { type Locale, isLocale } from "../../domain/locales.ts";
import { nullOn } from "../../domain/problem.ts";
import { Settings, type SettingsPatch } from "../../domain/settings.ts";
import type { Http } from "./http.ts";
import { createVersions } from "./versions.ts";

/** How many messages held back by a dry run are listed. */
const LISTED = 20;

const languageOf = ({ language }: Settings): Locale | null =>
  language !== null && isLocale(language) ? language : null;

/** `/settings`: settings of automation and of all conversations. */
export const createSettingsGateway = (http: Http, versions = createVersions()) => {
  const read = async (signal: AbortSignal): Promise<Settings> => parse(Settings, await http("/settings", { signal }));
  /** Changes one setting without a version check. */
  const change = async (body: SettingsPatch): Promise<Settings> =>
    parse(Settings, await http("/settings", { method: "PATCH", body }));
  /** Reads the settings; null if the server does not know the call. */
  const readIfKnown = (signal: AbortSignal): Promise<Settings | null> => read(signal).catch(nullOn(404));
  return {
    readIfKnown,
    /** Reads the settings for a form that is saved with `save`. */
    read: async (signal: AbortSignal): Promise<Settings> =>
      parse(Settings, versions.keep(await http.raw("/settings", { signal }))),
    /** Saves changes based on the version read last; resolves to the resulting settings. */
    save: async (body: SettingsPatch): Promise<Settings> => {
      const headers = versions.headers();
      return parse(Settings, versions.keep(await http.raw("/settings", { method: "PATCH", body, headers })));
    },

    readReceipts: async (signal: AbortSignal): Promise<boolean> => (await read(signal)).read_receipts,
    saveReceipts: async ({ isOn }: { isOn: boolean }): Promise<boolean> =>
      (await change({ read_receipts: isOn })).read_receipts,

    /** The user's language; null follows the browser, also if this page does not know the language. */
    readLanguage: async (signal: AbortSignal): Promise<Locale | null> => languageOf(await read(signal)),
    saveLanguage: async ({ language }: { language: Locale | null }): Promise<Locale | null> =>
      languageOf(await change({ language })),

    readContacts: async (signal: AbortSignal): Promise<boolean> => (await read(signal)).exclude_contacts,
    saveContacts: async ({ areLeftOut }: { areLeftOut: boolean }): Promise<boolean> =>
      (await change({ exclude_contacts: areLeftOut })).exclude_contacts,

    /** Whether dry run is on; null if the server does not know it. */
    readDryRun: async (signal: AbortSignal): Promise<boolean | null> => (await readIfKnown(signal))?.dry_run ?? null,
    saveDryRun: async ({ isOn }: { isOn: boolean }): Promise<boolean> => (await change({ dry_run: isOn })).dry_run,

    /** What a dry run held back since a time (ISO), newest first; without a time, everything stored. */
    listHeldBack: async ({ since }: { since: string | null }, signal: AbortSignal) => {
      // Rarely used, so the schema loads on first use.
      const { LedgerPage } = await import("../../domain/ledger.ts");
      const query = { state: "would_send", limit: LISTED };
      const { items, next } = parse(LedgerPage, await http("/ledger", { query, signal }));
      // Filters by due time: a message planned before the dry run and due in it was held back too, but the call's range is by planning
      // time.
      const begin = since === null ? -Infinity : Date.parse(since);
      const held = items.filter(({ settled_at, planned_at }) => Date.parse(settled_at ?? planned_at) >= begin);
      return { items: held, hasMore: next !== null && held.length === items.length };
    },
  };
};
