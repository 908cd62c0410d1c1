import { UNDO_ACTS_MS } from "../../domain/limits.ts";
import { onceAPage } from "./lifetime.ts";
import { createSignal } from "./signal.ts";

/** Somebody who was excluded on this page: the lead's own address still says so. `undo` is null once that is over. */
export type ExcludedLead = { name: string | null; undo: (() => void) | null };

/** Whom this page has excluded and not brought back. */
export const excludedOf = onceAPage(() => {
  const known = new Map<string, ExcludedLead>();
  const { tell, listen } = createSignal();
  const set = (leadId: string, lead: ExcludedLead | null) => {
    if (lead === null) known.delete(leadId);
    else known.set(leadId, lead);
    tell();
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
