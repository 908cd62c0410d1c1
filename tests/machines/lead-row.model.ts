import { createLeadRow } from "../../src/machines/lead-row/lead-row.machine.ts";
import { leadNumber, rowWrites } from "../support/leads.ts";
import { done, modelOf, whileAtRest } from "../support/model.ts";
import { fakePage } from "../support/page.ts";

const lead = leadNumber(1, { notes: "Asked for a price" });
const isAlone = whileAtRest({ notes: "saved", stage: "shown", followup: "unsent" }, (type) => {
  if (/[nN]otes/.test(type)) return ["notes"];
  return /followup|askConfirmation/i.test(type) ? ["followup"] : ["stage"];
});
const steps = { "stage-1": ["One", "Two", "Three"] };

export const leadRowModel = modelOf(createLeadRow(fakePage(), { leads: rowWrites() }), {
  input: { lead, steps, draft: null, list: null },
  inputs: [
    { draft: null },
    { draft: { notes: "Never arrived", over: "Asked for a price" } },
    { draft: null, lead: { ...lead, opted_out_at: "2026-03-05T10:00:00Z" } },
  ].map((input) => ({ lead, steps, list: null, ...input })),
  events: [
    {
      type: "lead.refreshed",
      lead: {
        ...lead,
        notes: "From another tab",
        followup_order_sent: 1,
        last_followup_sent_at: "2026-03-05T10:00:00Z",
      },
      steps,
    },
    { type: "notes.change", notes: "Wants two" },
    { type: "notes.change", notes: "Asked for a price" },
    { type: "stage.pick", stageId: "stage-2" },
    { type: "stage.pick", stageId: "stage-1" },
    { type: "stage.choose", stageId: "stage-2" },
    { type: "stage.choose", stageId: "stage-1" },
    ...done("saveNotes", "Wants two"),
    ...done("askConfirmation", true, false),
    ...done("sendFollowup", { kind: "sent" }, { kind: "refused", reason: "No step left." }),
  ],
  project: ({ value, context }) => [
    value,
    context.notes === (context.lead.notes ?? ""),
    context.notes === context.sentNotes,
    context.isSaveQueued,
    context.lead.stage_id,
    context.pickedStageId === context.lead.stage_id,
    context.newer === null,
    context.lead.followup_order_sent < 3,
    context.lead.opted_out_at != null,
  ],
  // For the walk of the screen each region is walked while the others are idle; the chart's own walk also takes pairs.
  allow: (snapshot, event) =>
    (event.type === "lead.refreshed" &&
      snapshot.context.newer === null &&
      (snapshot.matches({ followup: "unsent" }) || snapshot.matches({ followup: "unanswered" })) &&
      !snapshot.matches({ stage: "alerting" })) ||
    isAlone(snapshot, event),
});
