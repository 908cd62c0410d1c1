import { createDryRun } from "../../src/machines/dry-run/dry-run.machine.ts";
import { fakePage } from "../support/page.ts";
import { sendOf } from "./ledger.model.ts";
import { done, failedWrites, modelOf } from "../support/model.ts";

const dryRunMachine = createDryRun(fakePage(), {
  memory: { read: () => null, write: () => {}, clear: () => {} },
  now: () => "2026-03-05T12:00:00.000Z",
});

export const heldItem = sendOf(7, {
  excerpt: "Hello Ada",
  state: "would_send",
  words: "It would have gone out.",
  words_code: null,
});

export const dryRunModel = modelOf(dryRunMachine, {
  events: [
    ...done("readDryRun", true, false, null),
    ...done("checkDryRun", true, false),
    ...done("startDryRun", true),
    ...done("endDryRun", false),
    ...done("listHeldBack", { items: [heldItem], hasMore: false, since: null }),
    ...failedWrites("startDryRun", "endDryRun"),
  ],
});
