import type { Lead } from "../../../domain/lead.ts";

/**
 * Assigns each lead of a page a slot on the screen. A lead that stays keeps its slot, and others reuse free ones, so that the next page
 * renders into existing rows. A touched row is never reused: its input must not end up in another lead.
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
