import { describe, expect, it } from "vitest";
import type { LeadDetail } from "../../domain/lead.ts";
import { createLeadPanel, selectRow, stepMessage } from "../../src/machines/lead-panel/lead-panel.machine.ts";
import { createNotesDrafts } from "../../src/services/leads.ts";
import { rowWrites, twoStages } from "../support/leads.ts";
import { fakePage, openJourney, settle } from "../support/page.ts";
import { type VisitOf, readingInvariants, walkEveryPath } from "../support/invariants.ts";
import { detailNumber, leadPanelModel } from "./lead-panel.model.ts";

type Visited = VisitOf<typeof leadPanelModel>;

const refreshesRow = ({ context, before, event, effects }: Visited) => {
  expect(context.panel).toEqual(event.output);
  const isNotified = event.output.lead !== null && before.panel?.lead != null && event.output !== before.panel;
  const { lead, steps } = event.output;
  expect(effects["sendTo"] ?? []).toEqual(isNotified ? [{ type: "lead.refreshed", lead, steps }] : []);
};

walkEveryPath(leadPanelModel, {
  "*": {
    accepts: ["lead.changed", "list.reload"],
    holds: ({ context }) => expect(context.announced).toBe(context.panel),
  },
  ...readingInvariants("", "fetchPanel", refreshesRow, { input: { leadId: "lead-1" } }),
});

async function startPanel(stored: LeadDetail, draft: string | null = null) {
  const calls: string[] = [];
  const page = fakePage();
  const server: { lead: LeadDetail | null } = { lead: stored };
  if (draft !== null) createNotesDrafts(page.drafts).keep("lead-1", { notes: draft, over: "" });
  const logic = createLeadPanel(page, {
    leads: { ...rowWrites((write) => calls.push(write)), read: async () => (calls.push("read"), server.lead) },
    listStages: async () => twoStages,
    listFollowups: async () => [{ stage_id: "stage-1", followup_order: 0, message: "Here are our prices." }],
  });
  const journey = await openJourney(logic, { input: { leadId: "lead-1" } });
  const row = () => selectRow(journey.snapshot());
  return {
    calls,
    server,
    notices: page.notices,
    row,
    shown: () => row()?.getSnapshot().context,
    publish: (data: unknown) => (page.publish("lead.changed", data), settle()),
  };
}

describe("the lead's panel", () => {
  it("moves the lead with the spec's resets, and reloads it", async () => {
    const { server, row, shown, calls, notices } = await startPanel(detailNumber(1, { followup_order_sent: 1 }));
    row()?.send({ type: "stage.edit" });
    row()?.send({ type: "stage.choose", stageId: "stage-2" });
    server.lead = detailNumber(1, { stage_id: "stage-2", name: "From the server" });
    await settle();
    expect([calls, notices]).toEqual([["read", "stage: stage-2", "read"], ["Lead stage updated"]]);
    expect(shown()?.lead).toMatchObject({ name: "From the server", stage_id: "stage-2", followup_order_sent: 0 });
  });

  it("reloads after events about its lead or without a lead, not about another lead", async () => {
    const { calls, publish } = await startPanel(detailNumber(1));
    await publish({ id: "lead-2" });
    expect(calls).toEqual(["read"]);
    await publish({ id: "lead-1" });
    await publish({});
    expect(calls).toEqual(["read", "read", "read"]);
  });

  it("keeps typed notes over newer data, and restores an unsaved draft", async () => {
    const { server, row, shown, publish } = await startPanel(detailNumber(1, { notes: "Hello" }), "Never arrived");
    expect(row()?.getSnapshot()).toMatchObject({ value: { notes: "unsaved" }, context: { notes: "Never arrived" } });
    row()?.send({ type: "notes.change", notes: "Never arrived, now longer" });
    server.lead = detailNumber(1, { notes: "From another tab" });
    await publish({ id: "lead-1" });
    expect(shown()?.notes).toEqual("Never arrived, now longer");
  });

  it("has no row for a deleted lead, until the lead is back", async () => {
    const { server, row, shown, publish } = await startPanel(detailNumber(1));
    server.lead = null;
    await publish({ id: "lead-1" });
    expect(row()).toEqual(undefined);
    server.lead = detailNumber(1, { name: "Back" });
    await publish({ id: "lead-1" });
    expect(shown()?.lead.name).toEqual("Back");
  });
});

it.each([
  ["This stage has no follow-ups.", {}, null, 0],
  ["All follow-ups of this stage were sent.", {}, null, 2],
  ["It is sent when it is due, while automatic follow-ups are on.", {}, "Hello", 2],
  [
    "This person is waiting for your answer. Nothing is sent automatically until you reply.",
    { waiting_since: "2026-03-06T10:00:00.000Z" },
    "Hello",
    2,
  ],
  [
    "Telegram does not let this account write to this person at the moment.",
    { unreachable_reason: "USER_IS_BLOCKED" },
    "Hello",
    2,
  ],
  [
    "This person asked for no more messages, so nothing is sent automatically.",
    { opted_out_at: "2026-03-06" },
    "Hello",
    2,
  ],
  ["Held until Monday.", { automation: { state: "held", words: "Held until Monday." } }, "Hello", 2],
])("describes the next step in one sentence: %s", (sentence, known, next, count) => {
  expect(stepMessage(detailNumber(1, known), next, count)).toEqual(sentence);
});
