import * as v from "valibot";
import { readJson } from "../../domain/read-json.ts";
import type { SafeStorage } from "./storage.ts";

/** The texts of a lead that were sent without a response, newest last: any of them may be stored on the server. */
export type Unanswered = {
  of(leadId: string): readonly string[];
  keep(leadId: string, texts: readonly string[]): void;
};

/** Maximum number of texts per lead, and of leads in memory. */
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

/** Stored across reloads, with one key per lead: a reload aborts calls in flight, which may have arrived. */
export function createStoredUnanswered(storage: SafeStorage, keyOf: (leadId: string) => string): Unanswered {
  return {
    of: (leadId) => readJson(v.array(v.string()), storage.get(keyOf(leadId)) ?? "[]") ?? [],
    keep(leadId, texts) {
      if (texts.length > 0) storage.set(keyOf(leadId), JSON.stringify(texts.slice(-MOST_TEXTS)));
      else storage.remove(keyOf(leadId));
    },
  };
}
