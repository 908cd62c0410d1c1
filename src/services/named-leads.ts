import * as v from "valibot";
import { readJson } from "../../domain/read-json.ts";
import type { SafeStorage } from "./storage.ts";

const Named = v.object({ name: v.string(), ids: v.array(v.string()) });

/** Leads that were ticked one by one, on their way from the list to a bulk message: the newest ones, kept over a reload. */
export type NamedLeads = {
  /** Keeps them in place of what was kept before; returns the name by which they are found again. */
  keep: (ids: readonly string[]) => string;
  /** Nobody, where others were kept since or nothing is kept any more. */
  read: (name: string) => readonly string[];
};

/** `key` names the person; `newName` gives a name that was not given before. */
export const createNamedLeads = (
  storage: SafeStorage,
  key: string,
  newName: () => string = () => crypto.randomUUID(),
): NamedLeads => ({
  keep(ids) {
    const name = newName();
    storage.set(key, JSON.stringify({ name, ids }));
    return name;
  },
  read(name) {
    const stored = readJson(Named, storage.get(key));
    return stored?.name === name ? stored.ids : [];
  },
});

/** Where one person's lie. */
export const namedLeadsKey = (userId: string): string => `leadloom.bulk_leads.${userId}`;
