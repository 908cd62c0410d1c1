import { describe, expect, it } from "vitest";
import { createActor, waitFor } from "xstate";
import {
  type LeadRowGateway,
  createLeadRow,
  leadRowMachine,
  selectIsAwaitingReply,
  selectSentCount,
} from "../../src/machines/lead-row/index.ts";
import { leadNumber } from "../support/leads.ts";
import { walkEveryPath } from "../support/walk-suite.ts";
import { leadRowModel } from "./lead-row.model.ts";

walkEveryPath(leadRowMachine, leadRowModel);

function startRow(gateway: Partial<LeadRowGateway> = {}, lead = leadNumber(1, { notes: "Hello" })) {
  const told: string[] = [];
  const logic = createLeadRow({
    leads: {
      saveNotes: async ({ notes }) => void told.push(`notes: ${notes}`),
      changeStage: async ({ stageId }) => void told.push(`stage: ${stageId}`),
      sendFollowup: async () => ({ kind: "sent" }),
      ...gateway,
    },
    notifier: {
      toast: (message) => told.push(`toast: ${message}`),
      alert: async (message) => void told.push(`alert: ${message}`),
    },
    logger: { warn: (what) => told.push(`log: ${what}`) },
    reloadList: () => told.push("list reloaded"),
  });
  return { row: createActor(logic, { input: { lead } }).start(), told };
}

describe("notes", () => {
  it("are saved when the field is left, and not when nothing changed", async () => {
    const { row, told } = startRow();
    row.send({ type: "notes.change", notes: "Hello there" });
    row.send({ type: "notes.change", notes: "Hello" });
    row.send({ type: "notes.leave" });
    row.send({ type: "notes.change", notes: "Call on Monday" });
    row.send({ type: "notes.leave" });
    await waitFor(row, (snapshot) => snapshot.matches({ notes: "saved" }));
    expect(told).toEqual(["notes: Call on Monday"]);
  });

  it("typed and left during a save are saved after it, in order", async () => {
    const { row, told } = startRow();
    row.send({ type: "notes.change", notes: "one" });
    row.send({ type: "notes.leave" });
    row.send({ type: "notes.change", notes: "two" });
    row.send({ type: "notes.leave" });
    await waitFor(row, (snapshot) => snapshot.matches({ notes: "saved" }));
    expect(told).toEqual(["notes: one", "notes: two"]);
  });

  it("that could not be saved keep their text, are logged, and can be tried again", async () => {
    let isOnline = false;
    const { row, told } = startRow({
      saveNotes: async () => {
        if (!isOnline) throw new Error("offline");
      },
    });
    row.send({ type: "notes.change", notes: "Precious" });
    row.send({ type: "notes.leave" });
    await waitFor(row, (snapshot) => snapshot.matches({ notes: "unsaved" }));
    expect(row.getSnapshot().context.notes).toEqual("Precious");
    expect(told).toEqual(["log: notes were not saved"]);
    isOnline = true;
    row.send({ type: "notes.retry" });
    await waitFor(row, (snapshot) => snapshot.matches({ notes: "saved" }));
    expect(row.getSnapshot().context.lead.notes).toEqual("Precious");
  });

  it("being typed survive a refresh of the list", () => {
    const { row } = startRow();
    row.send({ type: "notes.change", notes: "Half a sen" });
    row.send({ type: "lead.refreshed", lead: leadNumber(1, { notes: "Hello", followup_order_sent: 2 }) });
    expect(row.getSnapshot().context.notes).toEqual("Half a sen");
    expect(selectSentCount(row.getSnapshot())).toEqual(2);
  });

  it("reach the server although the row goes away at once", () => {
    const { row, told } = startRow();
    row.send({ type: "notes.change", notes: "Left in a hurry" });
    row.send({ type: "notes.leave" });
    row.stop();
    expect(told).toEqual(["notes: Left in a hurry"]);
  });
});

describe("a stage change", () => {
  it("resets the follow-ups, says so in a toast and reloads the list", async () => {
    const lead = leadNumber(1, { followup_order_sent: 2, last_user_message_at: "2026-03-05T10:00:00Z" });
    const { row, told } = startRow({}, lead);
    row.send({ type: "stage.edit" });
    row.send({ type: "stage.choose", stageId: "stage-2" });
    await waitFor(row, (snapshot) => snapshot.matches({ stage: "shown" }));
    expect(told).toEqual(["stage: stage-2", "toast: Lead stage updated", "list reloaded"]);
    expect(row.getSnapshot().context.lead).toEqual({
      ...lead,
      stage_id: "stage-2",
      followup_order_sent: 0,
      last_followup_sent_at: null,
      last_user_message_at: null,
    });
  });

  it("that fails is told in an alert and leaves the lead where it was", async () => {
    const { row, told } = startRow({ changeStage: () => Promise.reject(new Error("offline")) });
    row.send({ type: "stage.edit" });
    row.send({ type: "stage.choose", stageId: "stage-2" });
    await waitFor(row, (snapshot) => snapshot.matches({ stage: "choosing" }));
    expect(told).toEqual(["log: a lead's stage was not changed", "alert: Failed to update stage"]);
    expect(row.getSnapshot().context.lead.stage_id).toEqual("stage-1");
  });
});

describe("a follow-up by hand", () => {
  it("counts as sent once it is delivered, however often the button is pressed", async () => {
    let calls = 0;
    const { row } = startRow({
      sendFollowup: async () => {
        calls += 1;
        return { kind: "sent" };
      },
    });
    row.send({ type: "followup.send" });
    row.send({ type: "followup.send" });
    await waitFor(row, (snapshot) => snapshot.matches({ followup: "sent" }));
    expect([calls, selectSentCount(row.getSnapshot())]).toEqual([1, 1]);
  });

  it("refused by the server is told apart from one that got no answer", async () => {
    const refused = startRow({ sendFollowup: async () => ({ kind: "refused", reason: "No step left." }) });
    refused.row.send({ type: "followup.send" });
    await waitFor(refused.row, (snapshot) => snapshot.matches({ followup: "refused" }));
    expect(refused.row.getSnapshot().context.refusal).toEqual("No step left.");

    const unanswered = startRow({ sendFollowup: () => Promise.reject(new Error("offline")) });
    unanswered.row.send({ type: "followup.send" });
    await waitFor(unanswered.row, (snapshot) => snapshot.matches({ followup: "unanswered" }));
    expect(selectSentCount(unanswered.row.getSnapshot())).toEqual(0);
  });
});

describe("awaiting reply", () => {
  const read = (last_message_at: string | null, last_user_message_at: string | null) =>
    selectIsAwaitingReply(startRow({}, leadNumber(1, { last_message_at, last_user_message_at })).row.getSnapshot());

  it("is yes when the last message of all is later than the lead's own", () => {
    expect(read("2026-03-05T10:00:01Z", "2026-03-05T10:00:00Z")).toEqual(true);
    expect(read("2026-03-05T10:00:00Z", "2026-03-05T10:00:00Z")).toEqual(false);
    expect(read("2026-03-05T09:00:00Z", "2026-03-05T10:00:00Z")).toEqual(false);
    expect(read("2026-03-05T10:00:00Z", null)).toEqual(true);
    expect(read(null, null)).toEqual(false);
  });
});
