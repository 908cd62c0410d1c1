import { LEDGER_KINDS, LEDGER_STATES, type LedgerKind, type LedgerState } from "../../../domain/ledger.ts";

/** The filters of the list, empty if not set; days are `2026-03-05` in the user's time zone. */
export type LedgerFilters = {
  leadId: string;
  kind: LedgerKind | "";
  state: LedgerState | "";
  from: string;
  to: string;
};

export const NO_FILTERS: LedgerFilters = { leadId: "", kind: "", state: "", from: "", to: "" };

const NAMES = { leadId: "lead_id", kind: "kind", state: "state", from: "from", to: "to" } as const;

/** Returns the query of the list's address; empty without filters. */
export function searchOf(filters: LedgerFilters): string {
  const query = new URLSearchParams();
  for (const key of Object.keys(NAMES) as (keyof LedgerFilters)[])
    if (filters[key] !== "") query.set(NAMES[key], filters[key]);
  return query.toString();
}

/** Parses the query; ignores invalid values. */
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

/** The start of a day in the user's time zone, or of the next day; null for an invalid day. */
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

/** Returns the request's range; both ends are inclusive. */
export function rangeOf({ from, to }: Pick<LedgerFilters, "from" | "to">): { from: string | null; to: string | null } {
  const end = dayStart(to, 1);
  return {
    from: dayStart(from)?.toISOString() ?? null,
    to: end === null ? null : new Date(end.getTime() - 1).toISOString(),
  };
}
