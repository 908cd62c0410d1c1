import * as v from "valibot";
import { newKey } from "../../domain/new-key.ts";
import { readJson } from "../../domain/read-json.ts";
import type { SafeStorage } from "./storage.ts";

const Named = v.object({ name: v.string(), ids: v.array(v.string()) });

/**
 * Selected leads on their way from the list to a bulk message. Only the newest selection is stored; it survives a reload. `key` is the
 * user's storage key; `newName` returns a unique name.
 */
export const createNamedLeads = (storage: SafeStorage, key: string, newName: () => string = newKey) => ({
  /** Stores them in place of the previous selection; returns a name for `read`. */
  keep(ids: readonly string[]): string {
    const name = newName();
    storage.set(key, JSON.stringify({ name, ids }));
    return name;
  },
  /** Returns an empty list if the selection was replaced or removed. */
  read(name: string): readonly string[] {
    const stored = readJson(Named, storage.get(key));
    return stored?.name === name ? stored.ids : [];
  },
});

/** The storage key of a user's selection. */
export const namedLeadsKey = (userId: string): string => `leadloom.bulk_leads.${userId}`;
