import type { LedgerItem, LedgerPage, LedgerState } from "../../../domain/ledger.ts";
import { msg } from "@lingui/core/runtime-macro";
import type { UiText } from "../../../domain/ui-text.ts";
import { type OlderPage, withOlderPage } from "../kit/loading.ts";

/** The rows shown, newest first, with the cursor for older ones. */
type Listed = { items: readonly LedgerItem[]; next: string | null };
/** A list with pending updates: `held` is the updated list, null if there are none. */
export type LedgerList = Listed & { held: Listed | null };

export const EMPTY: LedgerList = { items: [], next: null, held: null };

/**
 * Merges a refresh from the top. Known rows are updated or removed in place; new rows are held back, so that nothing moves while the user
 * reads.
 */
export function withRefresh({ items, next }: Listed, page: LedgerPage): LedgerList {
  const known = new Set(items.map(({ id }) => id));
  const read = new Map(page.items.map((item) => [item.id, item]));
  const reach = page.next === null ? items.length - 1 : items.findLastIndex(({ id }) => read.has(id));
  const lastKnown = page.items.findLastIndex(({ id }) => known.has(id));
  if (items.length === 0 || (page.next === null && lastKnown === -1)) return { ...page, held: null };
  // More rows are new than were read, so the new page replaces the list on request.
  if (lastKnown === -1) return { items, next, held: page };
  const tail = items.slice(reach + 1);
  const after = { next: tail.length > 0 ? next : page.next };
  const remaining = items.slice(0, reach + 1).flatMap(({ id }) => read.get(id) ?? []);
  const isFresh = page.items.slice(0, lastKnown).some(({ id }) => !known.has(id));
  return {
    items: [...remaining, ...page.items.slice(lastKnown + 1), ...tail],
    ...after,
    held: isFresh ? { items: [...page.items, ...tail], ...after } : null,
  };
}

/** Appends an older page, to the held-back list too. */
export const withOlder = (list: LedgerList, older: OlderPage<LedgerItem>): LedgerList => ({
  ...withOlderPage(list, older),
  held: list.held && withOlderPage(list.held, older),
});

/** How many new rows are held back. */
export function freshCount({ items, held }: LedgerList): number {
  if (held === null) return 0;
  const known = new Set(items.map(({ id }) => id));
  return held.items.filter(({ id }) => !known.has(id)).length;
}

type Tone = "good" | "bad" | "warn" | "neutral";

/** A state's label, and its tone. */
export const STATE_LABELS: Record<LedgerState, { name: UiText; tone: Tone }> = {
  pending: { name: msg({ message: "Waiting", context: "a message" }), tone: "neutral" },
  sending: { name: msg`On its way`, tone: "neutral" },
  sent: { name: msg`Sent`, tone: "good" },
  skipped: { name: msg`Skipped`, tone: "warn" },
  failed: { name: msg`Not sent`, tone: "bad" },
  unknown: { name: msg`Perhaps sent`, tone: "warn" },
  cancelled: { name: msg`Withdrawn`, tone: "neutral" },
  would_send: { name: msg`Would be sent`, tone: "warn" },
};
