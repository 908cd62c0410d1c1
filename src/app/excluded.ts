import { UNDO_ACTS_MS } from "../../domain/limits.ts";
import { memoizeByServices } from "./lifetime.ts";
import { createSignal } from "../services/signal.ts";

/** A person excluded on this page; their lead's address still shows it. `undo` is null once it has expired. */
export type ExcludedLead = { name: string | null; undo: (() => void) | null };

/** The people excluded on this page and not restored. */
export const excludedOf = memoizeByServices(() => {
  const known = new Map<string, ExcludedLead>();
  const { notify, listen } = createSignal();
  const set = (leadId: string, lead: ExcludedLead | null) => {
    if (lead === null) known.delete(leadId);
    else known.set(leadId, lead);
    notify();
  };
  return {
    listen,
    get: (leadId: string | null): ExcludedLead | null => (leadId === null ? null : (known.get(leadId) ?? null)),
    add(leadId: string, name: string | null, undo: () => void) {
      const lead = { name, undo };
      set(leadId, lead);
      setTimeout(() => {
        if (known.get(leadId) === lead) set(leadId, { name, undo: null });
      }, UNDO_ACTS_MS);
    },
    remove: (leadId: string) => set(leadId, null),
  };
});
