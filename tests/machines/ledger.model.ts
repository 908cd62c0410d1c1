import type { LedgerItem } from "../../domain/ledger.ts";
import { NO_FILTERS } from "../../src/machines/ledger/ledger.address.ts";
import { createLedger } from "../../src/machines/ledger/ledger.machine.ts";
import { done, modelOf, whileAtRest } from "../support/model.ts";
import { fakePage } from "../support/page.ts";

const ledgerMachine = createLedger(fakePage(), {
  address: { read: () => "", write: () => {}, subscribe: () => () => {} },
});

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

/** Filters cancel loading older items, and news events wait for a pending load. */
const isAlone = whileAtRest({ list: { shown: "current" }, older: "resting", news: "quiet" }, (type) =>
  /fetchOlder|^older/.test(type) ? ["older"] : ["list", "older", "news"],
);

export const ledgerModel = modelOf(ledgerMachine, {
  input: NO_FILTERS,
  events: [
    { type: "filters.change", filters: { kind: "bulk" } },
    { type: "address.changed", filters: { ...NO_FILTERS, state: "failed" } },
    ...done("fetchLedger", { items: [sendOf(1)], next: "1" }, { items: [sendOf(2), sendOf(1)], next: "1" }),
    ...done("fetchOlder", { page: { items: [sendOf(0)], next: null }, before: "1" }),
  ],
  allow: (snapshot, event) => {
    const { type } = event;
    // One filter at a time, and none while a news event is pending.
    const isFilter = /^filters|^address/.test(type);
    if (isFilter && !snapshot.matches({ news: "quiet" })) return false;
    if (isFilter && type !== "filters.clear" && (snapshot.context.filters.kind || snapshot.context.filters.state))
      return false;
    return isAlone(snapshot, event);
  },
  delays: { newsPause: 2_000 },
});
