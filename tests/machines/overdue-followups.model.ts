import type { AnyEventObject } from "xstate";
import type { OverdueFollowups } from "../../domain/followup.ts";
import { overdueFollowupsMachine } from "../../src/machines/overdue-followups/index.ts";
import { type WalkedModel, overPending } from "../support/walk-model.ts";

const lead = (number: number, name: string | null) => ({
  lead_id: `lead-${number}`,
  name,
  followup_id: "step-1",
  due_at: "2026-03-01T09:00:00Z",
});
export const overdue: OverdueFollowups = { total: 2, leads: [lead(1, "Ann"), lead(2, null)] };
const offline = new Error("offline");
const refused = Object.assign(new Error("refused"), {
  status: 503,
  body: { code: "restarting", message: "Try again in a moment." },
});

const overdueFollowupsEvents: AnyEventObject[] = [
  { type: "xstate.done.actor.fetchOverdue", output: overdue },
  { type: "xstate.done.actor.fetchOverdue", output: { total: 0, leads: [] } },
  { type: "xstate.error.actor.fetchOverdue", error: offline },
  { type: "xstate.done.actor.askConfirmation", output: true },
  { type: "xstate.done.actor.askConfirmation", output: false },
  { type: "xstate.error.actor.askConfirmation", error: offline },
  { type: "xstate.done.actor.planOverdue", output: 2 },
  { type: "xstate.error.actor.planOverdue", error: refused },
];

export const overdueFollowupsModel: WalkedModel = {
  unreported: ["askConfirmation"],
  events: overdueFollowupsEvents,
  project: ({ value, context }) => [value, context.overdue.total, context.asked.total, context.problem],
  // The list is read while the person's word is awaited; what becomes of the word, over a list at rest.
  allow: (snapshot, { type }) =>
    /fetchOverdue/.test(type) ||
    snapshot.matches({ list: { shown: "current" } }) ||
    (type.startsWith("reading.") && snapshot.matches({ word: "awaited" })),
  provide: overPending(overdueFollowupsMachine),
};
