import { describe, expect, it, vi } from "vitest";
import { type ContextFrom, createActor, waitFor } from "xstate";
import { isAwaitingReply } from "../../domain/lead.ts";
import {
  type LeadRowGateway,
  type NotesDraft,
  createLeadRow,
  leadRowMachine,
  selectRow,
} from "../../src/machines/lead-row/index.ts";
import { createFollowupSends } from "../../src/services/followup-sends.ts";
import { HttpError } from "../../src/services/http.ts";
import { leadNumber, twoSteps } from "../support/leads.ts";
import type { Visit } from "../support/invariants.ts";
import { unanswered } from "../support/model-events.ts";
import { isCalling } from "../support/reading-invariants.ts";
import { walkEveryPath } from "../support/walk-suite.ts";
import { leadRowModel } from "./lead-row.model.ts";

type Context = ContextFrom<typeof leadRowMachine>;
const types = ({ context, before, event, effects }: Visit<Context>) => {
  expect(context.notes).toEqual(event.notes);
  expect(effects).toEqual({ keepDraft: { leadId: "lead-1", draft: { notes: event.notes, over: before.over } } });
};
const isSavedAfterAll = ({ context, before, effects }: Visit<Context>) => {
  expect(context.notes).toEqual(before.notes);
  expect(effects).toHaveProperty("forgetDraft", { leadId: "lead-1", notes: before.notes });
};
const startsSaving = ({ context }: Visit<Context>) =>
  expect(context).toMatchObject({ sentNotes: context.notes, isSaveQueued: false, notesProblem: "Not saved." });
const startsPicking = ({ context }: Visit<Context>) => expect(context.pickedStageId).toEqual(context.lead.stage_id);
const sends = ({ lead: { stage_id: stageId, followup_order_sent: sent } }: Context) =>
  stageId === "stage-1" && sent < 3 ? ["followup.send"] : [];

walkEveryPath(leadRowMachine, leadRowModel, {
  "*": {
    accepts: ["lead.refreshed"],
    holds: ({ cause, event, context, isIn }) => {
      if (cause !== "lead.refreshed") return;
      const isAdopted = isIn("notes.saved") && isIn("stage.shown") && context.newer === null;
      expect(isAdopted ? context.lead : context.newer).toMatchObject(event.lead);
      expect(isAdopted ? context.notes : context.newer?.notes).toEqual("From another tab");
    },
  },
  "notes.saved": {
    accepts: ["notes.change"],
    after: {
      start: null,
      "notes.leave": ({ before: { lead, notes }, effects }) => {
        expect(notes).toEqual(lead.notes);
        expect(effects).toEqual({ forgetDraft: { leadId: "lead-1", notes } });
      },
      "lead.refreshed": isSavedAfterAll,
      "error saveNotes": isSavedAfterAll,
      "done saveNotes": ({ context, event }) =>
        expect([context.notes, context.over]).toEqual([event.output, event.output]),
    },
    holds: ({ context: { lead, notes, newer }, isIn }) => {
      expect(notes).toEqual(lead.notes);
      if (isIn("stage.shown")) expect(newer).toEqual(null);
    },
  },
  "notes.edited": {
    accepts: ["notes.change", "notes.leave"],
    after: {
      "notes.change": types,
      "done saveNotes": ({ context, before, event }) => {
        expect(context).toMatchObject({ notes: before.notes, over: before.sentNotes });
        expect(context.lead.notes).toEqual(event.output);
        expect(before.notes).not.toEqual(before.sentNotes);
      },
    },
  },
  "notes.saving": {
    accepts: ["notes.change", "notes.leave"],
    after: {
      "notes.change": types,
      "notes.retry": startsSaving,
      "notes.leave": (visit) => {
        if ("saveNotes" in visit.callsBefore) expect(visit.context).toEqual({ ...visit.before, isSaveQueued: true });
        else startsSaving(visit);
      },
      "done saveNotes": (visit) => {
        startsSaving(visit);
        expect([visit.before.isSaveQueued, visit.before.notes]).not.toEqual([true, visit.before.sentNotes]);
      },
    },
    holds: ({ context: { lead, sentNotes, over }, calls }) =>
      isCalling("saveNotes", { leadId: lead.id, notes: sentNotes, over })({ calls }),
  },
  "notes.unsaved": {
    accepts: ["notes.change", "notes.leave", "notes.retry"],
    after: {
      start: ({ context }) => expect(context.notes).toEqual("Never arrived"),
      "error saveNotes": ({ context, effects }) => {
        expect(context.notesProblem).toEqual(unanswered("The note may have been saved."));
        expect(effects).toHaveProperty("rereadLead");
      },
    },
  },
  "stage.shown": {
    accepts: ["stage.edit"],
    after: {
      start: null,
      "stage.cancel": null,
      "stage.commit": ({ before }) => expect(before.pickedStageId).toEqual(before.lead.stage_id),
      "stage.choose": ({ before, event }) => expect(event.stageId).toEqual(before.lead.stage_id),
      "done changeStage": ({ context, before, effects }) => {
        expect(context.lead).toMatchObject({ stage_id: before.pickedStageId, followup_order_sent: 0 });
        expect(effects).toMatchObject({ offerUndo: { leadId: "lead-1", list: null }, reloadList: null });
      },
    },
    holds: ({ context }) => expect(context.stageProblem).toEqual(null),
  },
  "stage.choosing": {
    accepts: ["stage.pick", "stage.commit", "stage.choose", "stage.cancel"],
    after: {
      "stage.edit": startsPicking,
      "stage.pick": ({ context, event }) =>
        expect([context.pickedStageId, context.stageProblem]).toEqual([event.stageId, null]),
      "done showAlert": startsPicking,
      "error showAlert": startsPicking,
    },
  },
  "stage.changing": {
    after: {
      "stage.commit": null,
      "stage.choose": ({ context, event }) => expect(context.pickedStageId).toEqual(event.stageId),
    },
    holds: ({ context: { lead: now, pickedStageId }, calls }) => {
      expect(pickedStageId).not.toEqual(now.stage_id);
      isCalling("changeStage", { leadId: now.id, stageId: pickedStageId })({ calls });
    },
  },
  "stage.alerting": {
    after: {
      "error changeStage": ({ context, effects }) => {
        expect(context.stageProblem).toEqual(unanswered("The lead may have been moved."));
        expect(effects).toHaveProperty("rereadLead");
      },
    },
    holds: isCalling("showAlert", { message: "Failed to update stage" }),
  },
  "followup.unsent": {
    accepts: sends,
    after: {
      start: null,
      "done askConfirmation": ({ event }) => expect(event.output).toEqual(false),
      "error askConfirmation": null,
    },
  },
  "followup.confirming": {
    after: {
      "followup.send": ({ context: { lead: now, newer } }) => expect((newer ?? now).opted_out_at).toBeTruthy(),
    },
    holds: isCalling("askConfirmation", {
      message: "This person asked for no more messages. Send this follow-up anyway?",
    }),
  },
  "followup.sending": {
    after: {
      "followup.send": ({ context: { lead: now, newer } }) => expect((newer ?? now).opted_out_at).toBeFalsy(),
      "done askConfirmation": ({ event }) => expect(event.output).toEqual(true),
    },
    holds: ({ context: { refusal, sentOf }, calls }) => {
      expect(refusal).toEqual(null);
      const step = `${sentOf?.stage_id}:${sentOf?.followup_order_sent}:${sentOf?.stage_entered_at ?? ""}`;
      isCalling("sendFollowup", { leadId: "lead-1", step })({ calls });
    },
  },
  "followup.sent": {
    accepts: sends,
    after: {
      "done sendFollowup": ({ context, before, event }) => {
        expect(event.output).toEqual({ kind: "sent" });
        expect(context.lead.followup_order_sent).toEqual(before.lead.followup_order_sent + 1);
      },
      "lead.refreshed": ({ context }) => expect(context.refusal).toEqual(null),
      "error sendFollowup": ({ context }) => expect(context.refusal).toEqual(null),
    },
  },
  "followup.refused": {
    accepts: sends,
    after: {
      "done sendFollowup": ({ context, effects }) => {
        expect(context.refusal).toEqual("No step left.");
        expect(effects).toHaveProperty("rereadLead");
      },
    },
  },
  "followup.unanswered": {
    accepts: sends,
    after: {
      "error sendFollowup": ({ context, effects }) => {
        expect(context.refusal).toEqual(
          unanswered("The follow-up may have been sent. Sending again does not send it twice."),
        );
        expect(effects).toHaveProperty("rereadLead");
      },
    },
  },
});

function startRow(
  gateway: Partial<LeadRowGateway> = {},
  lead = leadNumber(1, { notes: "Hello" }),
  isConfirmed: () => boolean = () => true,
) {
  const told: string[] = [];
  const kept = new Map<string, NotesDraft>();
  let undo = () => {};
  const logic = createLeadRow({
    leads: {
      async saveNotes({ notes }) {
        told.push(`notes: ${notes}`);
        return notes;
      },
      changeStage: async ({ stageId }) => void told.push(`stage: ${stageId}`),
      undoStage: async () => void told.push("stage: back"),
      sendFollowup: async () => ({ kind: "sent" }),
      ...gateway,
    },
    drafts: {
      read: (leadId) => kept.get(leadId) ?? null,
      keep: (leadId, draft) => void kept.set(leadId, draft),
      settle: (leadId, notes) => void (kept.get(leadId)?.notes === notes && kept.delete(leadId)),
    },
    notifier: {
      toast: (message, options) => {
        told.push(`toast: ${message}`);
        undo = options?.undo?.onPress ?? undo;
      },
      warn: (message) => told.push(`warn: ${message}`),
      alert: async (message) => void told.push(`alert: ${message}`),
      async confirm(message) {
        told.push(`confirm: ${message}`);
        return isConfirmed();
      },
    },
    logger: { warn: (what) => told.push(`log: ${what}`) },
  });
  const list = {
    send: ({ type }: { type: string }) => void told.push(type),
    getSnapshot: () => ({ status: "active" }),
  };
  const row = createActor(logic, { input: { lead, steps: twoSteps, draft: null, list } }).start();
  return { row, told, kept, undo: () => undo() };
}

describe("notes", () => {
  it("that the server refuses are told in its words, until they are saved again", async () => {
    const { row } = startRow({ saveNotes: () => Promise.reject(new HttpError(422, { message: "Too long." })) });
    row.send({ type: "notes.change", notes: "Precious" });
    row.send({ type: "notes.leave" });
    await waitFor(row, (snapshot) => snapshot.matches({ notes: "unsaved" }));
    expect(row.getSnapshot().context.notesProblem).toEqual("Not saved. Too long.");
    row.send({ type: "notes.retry" });
    expect(row.getSnapshot().context.notesProblem).toEqual("Not saved.");
  });

  it("reach the server although the row goes away at once", () => {
    const { row, told } = startRow();
    row.send({ type: "notes.change", notes: "Left in a hurry" });
    row.send({ type: "notes.leave" });
    row.stop();
    expect(told).toEqual(["notes: Left in a hurry"]);
  });

  it("typed and left during a save reach the server although the row goes away", async () => {
    const { row, told, kept } = startRow();
    row.send({ type: "notes.change", notes: "one" });
    row.send({ type: "notes.leave" });
    row.send({ type: "notes.change", notes: "two" });
    row.send({ type: "notes.leave" });
    row.stop();
    await vi.waitFor(() => expect(told).toEqual(["notes: one", "notes: two"]));
    expect(kept.size).toEqual(0);
  });

  it("that fail after the row went away are told, and kept for when the person comes back", async () => {
    const { row, told, kept } = startRow({ saveNotes: () => Promise.reject(new Error("offline")) });
    row.send({ type: "notes.change", notes: "Precious" });
    row.send({ type: "notes.leave" });
    row.stop();
    await vi.waitFor(() => expect(told).toHaveLength(2));
    const words =
      "No response from the server. A note may not have been saved. It is kept on the leads screen: try again there.";
    expect(told).toEqual([`log: ${words}`, `warn: ${words}`]);
    expect(kept.get("lead-1")).toEqual({ notes: "Precious", over: "Hello" });
  });
});

describe("notes that somebody else added to meanwhile", () => {
  it("are shown with what was added, and typed on over it", async () => {
    const saves: unknown[] = [];
    const { row } = startRow({
      async saveNotes({ notes, over }) {
        saves.push([notes, over]);
        return `${notes}\nAdded by a program`;
      },
    });
    const save = async (notes: string) => {
      row.send({ type: "notes.change", notes });
      row.send({ type: "notes.leave" });
      await waitFor(row, (snapshot) => snapshot.matches({ notes: "saved" }));
    };
    await save("Hello there");
    expect(row.getSnapshot().context.notes).toEqual("Hello there\nAdded by a program");
    await save("Bye");
    expect(saves).toEqual([
      ["Hello there", "Hello"],
      ["Bye", "Hello there\nAdded by a program"],
    ]);
  });
});

describe("a stage change", () => {
  it("resets the follow-ups, says so in a toast and reloads the list", async () => {
    const lead = leadNumber(1, { followup_order_sent: 2, last_user_message_at: "2026-03-05T10:00:00Z" });
    const { row, told } = startRow({}, lead);
    row.send({ type: "stage.edit" });
    row.send({ type: "stage.choose", stageId: "stage-2" });
    await waitFor(row, (snapshot) => snapshot.matches({ stage: "shown" }));
    expect(told).toEqual(["stage: stage-2", "toast: Lead stage updated", "list.reload"]);
    expect(row.getSnapshot().context.lead).toEqual({
      ...lead,
      stage_id: "stage-2",
      stage_entered_at: null,
      followup_order_sent: 0,
      last_followup_sent_at: null,
      last_user_message_at: null,
    });
  });

  it("is taken back by the toast's Undo, also when the row is gone", async () => {
    const { row, told, undo } = startRow();
    row.send({ type: "stage.edit" });
    row.send({ type: "stage.choose", stageId: "stage-2" });
    await waitFor(row, (snapshot) => snapshot.matches({ stage: "shown" }));
    row.stop();
    undo();
    await vi.waitFor(() => expect(told).toHaveLength(6));
    expect(told.slice(3)).toEqual(["stage: back", "toast: The lead is back where it was.", "list.reload"]);
  });

  it("that cannot be taken back any more says so", async () => {
    const { row, told, undo } = startRow({ undoStage: () => Promise.reject(new HttpError(409, null)) });
    row.send({ type: "stage.edit" });
    row.send({ type: "stage.choose", stageId: "stage-2" });
    await waitFor(row, (snapshot) => snapshot.matches({ stage: "shown" }));
    undo();
    await vi.waitFor(() => expect(told).toHaveLength(6));
    expect(told.slice(-2)).toEqual([
      "warn: The stage change could not be undone. Choose the stage again.",
      "lead.changed",
    ]);
  });
});

describe("a follow-up by hand", () => {
  it("counts once although a reading has counted it before its answer came", async () => {
    let answer: (outcome: { kind: "sent" }) => void = () => {};
    const { row } = startRow({ sendFollowup: () => new Promise((resolve) => (answer = resolve)) });
    row.send({ type: "followup.send" });
    row.send({ type: "lead.refreshed", lead: leadNumber(1, { followup_order_sent: 1 }), steps: twoSteps });
    answer({ kind: "sent" });
    await waitFor(row, (snapshot) => snapshot.matches({ followup: "sent" }));
    expect(row.getSnapshot().context.lead.followup_order_sent).toEqual(1);
  });

  it("is another one after the lead left its stage and came back", async () => {
    const asked: string[] = [];
    const at = (stage_entered_at: string) => leadNumber(1, { stage_entered_at });
    const { row } = startRow(
      {
        sendFollowup: ({ step }) => {
          asked.push(step);
          return Promise.reject(new Error("offline"));
        },
      },
      at("2026-03-05T10:00:00Z"),
    );
    const send = async () => {
      row.send({ type: "followup.send" });
      await waitFor(row, (snapshot) => snapshot.matches({ followup: "unanswered" }));
    };
    await send();
    await send();
    row.send({ type: "lead.refreshed", lead: at("2026-03-06T10:00:00Z"), steps: twoSteps });
    await send();
    expect(asked).toEqual(["05", "05", "06"].map((day) => `stage-1:0:2026-03-${day}T10:00:00Z`));
  });

  it("goes on when the screen is left, and what became of it is told", async () => {
    const { row, told } = startRow({ sendFollowup: async () => ({ kind: "refused", reason: "No step left." }) });
    row.send({ type: "followup.send" });
    row.stop();
    await vi.waitFor(() => expect(told).toEqual(["warn: Failed to send. No step left."]));
  });

  it("refused by the server is told apart from one that got no answer", async () => {
    const refused = startRow({ sendFollowup: async () => ({ kind: "refused", reason: "No step left." }) });
    refused.row.send({ type: "followup.send" });
    await waitFor(refused.row, (snapshot) => snapshot.matches({ followup: "refused" }));
    expect(refused.row.getSnapshot().context.refusal).toEqual("No step left.");

    const unanswered = startRow({ sendFollowup: () => Promise.reject(new Error("offline")) });
    unanswered.row.send({ type: "followup.send" });
    await waitFor(unanswered.row, (snapshot) => snapshot.matches({ followup: "unanswered" }));
    const { lead, refusal } = unanswered.row.getSnapshot().context;
    expect([lead.followup_order_sent, refusal]).toEqual([
      0,
      "No response from the server. The follow-up may have been sent. Sending again does not send it twice.",
    ]);
    expect(unanswered.told).toContain("lead.changed");
  });
});

describe("a follow-up whose outcome is not known although an answer came", () => {
  it.each([
    [502, null],
    [500, { code: "internal_error", message: "The server broke off." }],
  ])("is told as failed after a %i, and as sent once a newer reading shows that it went out", async (status, body) => {
    const { row } = startRow({
      sendFollowup: createFollowupSends(
        Object.assign(() => Promise.reject(new Error("unused")), {
          raw: () => Promise.reject(new HttpError(status, body)),
        }) as never,
      ).send,
    });
    row.send({ type: "followup.send" });
    await waitFor(row, (snapshot) => !snapshot.matches({ followup: "sending" }));
    const shown = selectRow(row.getSnapshot());
    expect([shown.followupState, shown.refusal]).toEqual([
      "refused",
      expect.stringContaining("The follow-up may have been sent. Sending again does not send it twice."),
    ]);
    row.send({
      type: "lead.refreshed",
      lead: leadNumber(1, { followup_order_sent: 1, last_followup_sent_at: "2026-03-05T10:00:00Z" }),
      steps: twoSteps,
    });
    expect(selectRow(row.getSnapshot()).followupState).toEqual("sent");
  });
});

describe("a follow-up without an answer", () => {
  it("is not told as sent when the step was skipped meanwhile", async () => {
    const { row } = startRow({ sendFollowup: () => Promise.reject(new Error("offline")) });
    row.send({ type: "followup.send" });
    await waitFor(row, (snapshot) => snapshot.matches({ followup: "unanswered" }));
    row.send({ type: "lead.refreshed", lead: leadNumber(1, { followup_order_sent: 1 }), steps: twoSteps });
    expect(row.getSnapshot().value.followup).toEqual("unanswered");
  });
});

describe("awaiting reply", () => {
  const read = (last_message_at: string | null, last_user_message_at: string | null) =>
    isAwaitingReply(leadNumber(1, { last_message_at, last_user_message_at }));

  it("is yes when the last message of all is later than the lead's own", () => {
    expect(read("2026-03-05T10:00:01Z", "2026-03-05T10:00:00Z")).toEqual(true);
    expect(read("2026-03-05T10:00:00Z", "2026-03-05T10:00:00Z")).toEqual(false);
    expect(read("2026-03-05T09:00:00Z", "2026-03-05T10:00:00Z")).toEqual(false);
    expect(read("2026-03-05T10:00:00Z", null)).toEqual(true);
    expect(read(null, null)).toEqual(false);
  });
});
