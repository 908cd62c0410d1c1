import { LEDGER_KINDS, LEDGER_STATES, type LedgerKind, type LedgerState } from "../../../domain/ledger.ts";

/** Which messages are listed. Empty where it does not matter; days are `2026-03-05`, where the person is. */
export type LedgerFilters = {
  leadId: string;
  kind: LedgerKind | "";
  state: LedgerState | "";
  from: string;
  to: string;
};

export const NO_FILTERS: LedgerFilters = { leadId: "", kind: "", state: "", from: "", to: "" };

const NAMES = { leadId: "lead_id", kind: "kind", state: "state", from: "from", to: "to" } as const;

/** The part of an address after `?` that brings the list back; empty for all of it. */
export function searchOf(filters: LedgerFilters): string {
  const query = new URLSearchParams();
  for (const key of Object.keys(NAMES) as (keyof LedgerFilters)[])
    if (filters[key] !== "") query.set(NAMES[key], filters[key]);
  return query.toString();
}

/** Reads such a part; what cannot be read counts as not there. */
export function filtersOf(search: string): LedgerFilters {
  const query = new URLSearchParams(search);
  const text = (name: string) => query.get(name) ?? "";
  return {
    leadId: text("lead_id").slice(0, 100),
    kind: LEDGER_KINDS.find((kind) => kind === text("kind")) ?? "",
    state: LEDGER_STATES.find((state) => state === text("state")) ?? "",
    from: dayStart(text("from")) === null ? "" : text("from"),
    to: dayStart(text("to")) === null ? "" : text("to"),
  };
}

export const isSame = (a: LedgerFilters, b: LedgerFilters): boolean => searchOf(a) === searchOf(b);

/** The first moment of a day where the person is, or of the one after it; null for no day of the calendar. */
function dayStart(day: string, after: 0 | 1 = 0): Date | null {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day);
  if (!match) return null;
  const [year, month, date] = match.slice(1).map(Number) as [number, number, number];
  const start = new Date(0);
  start.setFullYear(year, month - 1, date);
  start.setHours(0, 0, 0, 0);
  if (year < 1970 || start.getMonth() !== month - 1 || start.getDate() !== date) return null;
  if (after === 1) start.setDate(date + 1);
  return start;
}

/** The call's own filters: both ends of a range are moments that belong to it. */
export function rangeOf({ from, to }: Pick<LedgerFilters, "from" | "to">): { from: string | null; to: string | null } {
  const end = dayStart(to, 1);
  return {
    from: dayStart(from)?.toISOString() ?? null,
    to: end === null ? null : new Date(end.getTime() - 1).toISOString(),
  };
}
