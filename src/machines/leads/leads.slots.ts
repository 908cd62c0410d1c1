import type { Lead } from "../../../domain/lead.ts";

/**
 * A place on the screen for each lead of a page. A lead that stays keeps its place, the others take over what became
 * free, so that the next page is written into rows that are there. A row that somebody has touched is never taken over:
 * what is being typed in it must not end in another lead.
 */
export function slotsFor(
  leads: readonly Lead[],
  before: { leads: readonly Lead[]; slots: readonly number[]; touched: readonly string[] },
): number[] {
  const slotOf = new Map(before.leads.map(({ id }, index) => [id, before.slots[index] ?? index]));
  const staying = new Set(leads.map(({ id }) => id));
  const unmoved = new Set([...before.touched, ...staying]);
  const free = before.leads.filter(({ id }) => !unmoved.has(id)).map(({ id }) => slotOf.get(id) ?? 0);
  let next = Math.max(-1, ...before.slots) + 1;
  return leads.map(({ id }) => slotOf.get(id) ?? free.shift() ?? next++);
}
