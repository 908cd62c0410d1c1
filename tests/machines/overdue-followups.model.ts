import type { OverdueFollowups } from "../../domain/followup.ts";
import { createOverdueFollowups } from "../../src/machines/overdue-followups/overdue-followups.machine.ts";
import { done, failedWrites, modelOf } from "../support/model.ts";
import { fakePage } from "../support/page.ts";

const lead = (number: number, name: string | null) => ({
  lead_id: `lead-${number}`,
  name,
  followup_id: "step-1",
  due_at: "2026-03-01T09:00:00Z",
});
export const overdue: OverdueFollowups = { total: 2, leads: [lead(1, "Ann"), lead(2, null)] };
export const overdueFollowupsModel = modelOf(createOverdueFollowups(fakePage()), {
  events: [
    ...done("fetchOverdue", overdue, { total: 0, leads: [] }),
    ...done("askConfirmation", true, false),
    ...done("planOverdue", 2),
    ...failedWrites("planOverdue"),
  ],
  // Loads are walked while the approval is pending; the approval is walked while the list is current.
  allow: (snapshot, { type }) =>
    /fetchOverdue/.test(type) ||
    snapshot.matches({ list: { shown: "current" } }) ||
    (type.startsWith("reading.") && snapshot.matches({ word: "awaited" })),
});
