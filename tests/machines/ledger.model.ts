import type { AnyMachineSnapshot } from "xstate";
import type { LedgerItem } from "../../domain/ledger.ts";
import { NO_FILTERS } from "../../src/machines/ledger/ledger.address.ts";
import { createLedger } from "../../src/machines/ledger/ledger.machine.ts";
import { done } from "../support/model-events.ts";
import { fakePage } from "../support/page.ts";
import { type WalkedModel, overPending } from "../support/walk-model.ts";

export const ledgerMachine = createLedger(fakePage(), {
  address: { read: () => "", write: () => {}, subscribe: () => () => {} },
});

/** Returns the nth planned message. */
export const sendOf = (number: number, known: Partial<LedgerItem> = {}): LedgerItem => ({
  id: String(number),
  kind: "followup",
  lead: { id: "l1", name: "Ann" },
  step: { id: "f1", order: 0, preview: "Hi Ann" },
  excerpt: "Hi Ann",
  state: "sent",
  reason: null,
  words: "Sent.",
  words_code: "sent",
  attempts: 1,
  random_id: "7",
  message_id: 70,
  planned_at: "2026-03-05T10:00:00.000Z",
  not_before: null,
  tried_at: "2026-03-05T10:01:00.000Z",
  settled_at: "2026-03-05T10:01:01.000Z",
  by: null,
  ...known,
});

type Region = "list" | "older" | "news";
const REST: Record<Region, string | Record<string, string>> = {
  list: { shown: "current" },
  older: "resting",
  news: "quiet",
};
const regionsOf = (type: string): Region[] => {
  if (/fetchOlder|^older/.test(type)) return ["older"];
  if (/^news|newsPause/.test(type)) return ["news", "list", "older"];
  return ["list"];
};

export const ledgerModel: WalkedModel = {
  input: NO_FILTERS,
  events: [
    { type: "filters.change", filters: { kind: "bulk" } },
    { type: "address.changed", filters: { ...NO_FILTERS, state: "failed" } },
    ...done("fetchLedger", { items: [sendOf(1)], next: "1" }, { items: [sendOf(2), sendOf(1)], next: "1" }),
    ...done("fetchOlder", { page: { items: [sendOf(0)], next: null }, before: "1" }),
  ],
  project: ({ value, context }) => [
    value,
    value.news === "quiet" && [context.filters.kind, context.filters.state],
    context.next !== null,
    context.held !== null,
  ],
  // Each region is walked while the others are idle, except regions that affect each other.
  allow: (snapshot: AnyMachineSnapshot, { type }) => {
    const own = regionsOf(type);
    // One filter at a time, and none while a news event is pending.
    const isFilter = /^filters|^address/.test(type);
    if (isFilter && !snapshot.matches({ news: REST.news })) return false;
    if (isFilter && type !== "filters.clear" && (snapshot.context.filters.kind || snapshot.context.filters.state))
      return false;
    return (Object.keys(REST) as Region[]).every(
      (region) => own.includes(region) || snapshot.matches({ [region]: REST[region] }) || reaches(region, own),
    );
  },
  delays: { newsPause: 2_000 },
  provide: overPending(ledgerMachine),
};

/** Filters cancel loading older items, and news events wait for a pending load. */
const reaches = (busy: Region, own: readonly Region[]) =>
  (busy === "older" && own.includes("list")) || (busy === "news" && own.includes("list"));
