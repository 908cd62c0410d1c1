import type { LedgerItem } from "../../domain/ledger.ts";
import { createDryRun } from "../../src/machines/dry-run/dry-run.machine.ts";
import { fakePage } from "../support/page.ts";
import { done, failed, failedWrites } from "../support/model-events.ts";
import { type WalkedModel, overPending } from "../support/walk-model.ts";

export const dryRunMachine = createDryRun(fakePage(), {
  memory: { read: () => null, write: () => {}, clear: () => {} },
  now: () => "2026-03-05T12:00:00.000Z",
});

export const heldItem: LedgerItem = {
  id: "7",
  kind: "followup",
  lead: { id: "lead-1", name: "Ada" },
  step: { id: "step-1", order: 0, preview: "Hello Ada" },
  excerpt: "Hello Ada",
  state: "would_send",
  reason: null,
  words: "It would have gone out.",
  attempts: 0,
  random_id: null,
  message_id: null,
  planned_at: "2026-03-05T10:00:00.000Z",
  not_before: null,
  tried_at: null,
  settled_at: null,
  by: null,
};

const reads = ["readDryRun", "listHeldBack", "checkDryRun"];

export const dryRunModel: WalkedModel = {
  events: [
    ...[true, false, null].map((output) => ({ type: "xstate.done.actor.readDryRun", output })),
    ...[true, false].map((output) => ({ type: "xstate.done.actor.checkDryRun", output })),
    ...done("startDryRun", true),
    ...done("endDryRun", false),
    ...done("listHeldBack", { items: [heldItem], hasMore: false, since: null }),
    ...reads.flatMap((id) => failed(id)),
    ...failedWrites("startDryRun", "endDryRun"),
  ],
  project: ({ value, context }) => [value, context.isOn, context.problem !== null],
  provide: overPending(dryRunMachine),
};
