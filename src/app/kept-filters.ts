import { searchOf } from "../machines/leads/leads.address.ts";
import type { LeadFilters } from "../machines/leads/leads.filters.ts";
import type { Drafts } from "../services/drafts.ts";

const NAME = "lead filters";

/** Typed filters belong to the applied ones that they were typed over: a list reached by another address begins without. */
const overOf = (applied: LeadFilters) => searchOf({ filters: applied, page: 1 });

/** The filters typed over `applied` that were not applied; null when there are none. */
export function keptFilters(drafts: Drafts, applied: LeadFilters): Partial<LeadFilters> | null {
  const { over, isTyped, ...typed } = drafts.read(NAME, { ...applied, over: "", isTyped: false }) ?? {};
  return isTyped === true && (over ?? "") === overOf(applied) ? typed : null;
}

/** Keeps the filters as they are typed; those that are applied need no keeping. */
export function keepFilters(drafts: Drafts, typed: LeadFilters, applied: LeadFilters): void {
  const fields = Object.keys(applied) as (keyof LeadFilters)[];
  const isTyped = fields.some((field) => typed[field] !== applied[field]);
  if (isTyped)
    drafts.write(NAME, { ...typed, over: overOf(applied), isTyped }, { ...applied, over: "", isTyped: false });
  else drafts.forget(NAME);
}
