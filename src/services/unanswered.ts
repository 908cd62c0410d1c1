import * as v from "valibot";
import { readJson } from "../../domain/read-json.ts";
import type { SafeStorage } from "./storage.ts";

/** The texts of a lead that were sent and got no answer, the newest last: any of them may stand on the server. */
export type Unanswered = {
  of(leadId: string): readonly string[];
  keep(leadId: string, texts: readonly string[]): void;
};

/** So many are kept of a lead, and of so many leads where they are kept in memory. */
const MOST_TEXTS = 8;
const MOST_LEADS = 100;

/** Kept for the life of the page. */
export function createUnanswered(): Unanswered {
  const byLead = new Map<string, readonly string[]>();
  return {
    of: (leadId) => byLead.get(leadId) ?? [],
    keep(leadId, texts) {
      byLead.delete(leadId);
      if (texts.length > 0) byLead.set(leadId, texts.slice(-MOST_TEXTS));
      for (const oldest of [...byLead.keys()].slice(0, -MOST_LEADS)) byLead.delete(oldest);
    },
  };
}

/** Kept over a reload, each lead's under a key of its own: a reload ends the calls under way, and they may have arrived. */
export function createStoredUnanswered(storage: SafeStorage, keyOf: (leadId: string) => string): Unanswered {
  return {
    of: (leadId) => readJson(v.array(v.string()), storage.get(keyOf(leadId)) ?? "[]") ?? [],
    keep(leadId, texts) {
      if (texts.length > 0) storage.set(keyOf(leadId), JSON.stringify(texts.slice(-MOST_TEXTS)));
      else storage.remove(keyOf(leadId));
    },
  };
}
