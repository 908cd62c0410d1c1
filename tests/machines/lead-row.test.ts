import { describe, expect, it, vi } from "vitest";
import { type ContextFrom, createActor, waitFor } from "xstate";
import { isAwaitingReply } from "../../domain/lead.ts";
import {
  type LeadRowGateway,
  type NotesDraft,
  createLeadRow,
  leadRowMachine,
  nextStep,
} from "../../src/machines/lead-row/index.ts";
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
      const step = `${sentOf?.stage_id}:${sentOf?.followup_order_sent}`;
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
      async saveNotes({ notes }) {
        if (!isOnline) throw new Error("offline");
        return notes;
      },
    });
    row.send({ type: "notes.change", notes: "Precious" });
    row.send({ type: "notes.leave" });
    await waitFor(row, (snapshot) => snapshot.matches({ notes: "unsaved" }));
    expect(row.getSnapshot().context.notes).toEqual("Precious");
    expect(told).toEqual(["log: notes were not saved", "lead.changed"]);
    expect(row.getSnapshot().context.notesProblem).toEqual(
      "No response from the server. The note may have been saved.",
    );
    isOnline = true;
    row.send({ type: "notes.retry" });
    await waitFor(row, (snapshot) => snapshot.matches({ notes: "saved" }));
    expect(row.getSnapshot().context.lead.notes).toEqual("Precious");
  });

  it("are saved once a reading shows them, though the call got no response", async () => {
    const { row, kept } = startRow({ saveNotes: () => Promise.reject(new Error("offline")) });
    row.send({ type: "notes.change", notes: "Precious" });
    row.send({ type: "notes.leave" });
    await waitFor(row, (snapshot) => snapshot.matches({ notes: "unsaved" }));
    row.send({ type: "lead.refreshed", lead: leadNumber(1, { notes: "Precious" }), steps: twoSteps });
    expect(row.getSnapshot().matches({ notes: "saved" })).toEqual(true);
    expect(kept.size).toEqual(0);
  });

  it("that the server refuses are told in its words, until they are saved again", async () => {
    const { row } = startRow({ saveNotes: () => Promise.reject(new HttpError(422, { message: "Too long." })) });
    row.send({ type: "notes.change", notes: "Precious" });
    row.send({ type: "notes.leave" });
    await waitFor(row, (snapshot) => snapshot.matches({ notes: "unsaved" }));
    expect(row.getSnapshot().context.notesProblem).toEqual("Not saved. Too long.");
    row.send({ type: "notes.retry" });
    expect(row.getSnapshot().context.notesProblem).toEqual("Not saved.");
  });

  it("being typed survive a refresh of the list", () => {
    const { row } = startRow();
    row.send({ type: "notes.change", notes: "Half a sen" });
    const newer = leadNumber(1, { notes: "From another tab", followup_order_sent: 2 });
    row.send({ type: "lead.refreshed", lead: newer, steps: twoSteps });
    expect(row.getSnapshot().context).toMatchObject({ notes: "Half a sen", lead: { followup_order_sent: 0 } });
    row.send({ type: "notes.change", notes: "Hello" });
    row.send({ type: "notes.leave" });
    expect(row.getSnapshot().context).toMatchObject({ notes: "From another tab", lead: newer });
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

  it("are not taken as read by what is typed during the save", async () => {
    const saves: unknown[] = [];
    let answer = () => {};
    const { row } = startRow({
      saveNotes({ notes, over }) {
        saves.push([notes, over]);
        return new Promise((resolve) => (answer = () => resolve(`${notes}\nAdded by a program`)));
      },
    });
    row.send({ type: "notes.change", notes: "One" });
    row.send({ type: "notes.leave" });
    row.send({ type: "notes.change", notes: "One, two" });
    answer();
    await waitFor(row, (snapshot) => snapshot.matches({ notes: "edited" }));
    row.send({ type: "notes.leave" });
    expect(saves).toEqual([
      ["One", "Hello"],
      ["One, two", "One"],
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
      followup_order_sent: 0,
      last_followup_sent_at: null,
      last_user_message_at: null,
    });
  });

  it("is not made by passing over a stage, only by committing it", async () => {
    const { row, told } = startRow();
    row.send({ type: "stage.edit" });
    row.send({ type: "stage.pick", stageId: "stage-2" });
    row.send({ type: "stage.cancel" });
    row.send({ type: "stage.edit" });
    row.send({ type: "stage.pick", stageId: "stage-2" });
    row.send({ type: "stage.pick", stageId: "stage-1" });
    row.send({ type: "stage.commit" });
    expect([row.getSnapshot().matches({ stage: "shown" }), told]).toEqual([true, []]);
    row.send({ type: "stage.edit" });
    row.send({ type: "stage.pick", stageId: "stage-2" });
    row.send({ type: "stage.commit" });
    await waitFor(row, (snapshot) => snapshot.matches({ stage: "shown" }));
    expect(told[0]).toEqual("stage: stage-2");
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

  it("that fails is told in an alert and leaves the lead where it was", async () => {
    const { row, told } = startRow({ changeStage: () => Promise.reject(new Error("offline")) });
    row.send({ type: "stage.edit" });
    row.send({ type: "stage.choose", stageId: "stage-2" });
    await waitFor(row, (snapshot) => snapshot.matches({ stage: "choosing" }));
    expect(told).toEqual(["log: a lead's stage was not changed", "lead.changed", "alert: Failed to update stage"]);
    expect(row.getSnapshot().context).toMatchObject({
      stageProblem: "No response from the server. The lead may have been moved.",
    });
    expect(row.getSnapshot().context.lead.stage_id).toEqual("stage-1");
    row.send({ type: "stage.cancel" });
    expect(row.getSnapshot().context.stageProblem).toEqual(null);
  });

  it("that the server refuses is told in its words, until another stage is chosen", async () => {
    const refusal = new HttpError(409, { code: "stage_gone", message: "That stage is gone." });
    const { row } = startRow({ changeStage: () => Promise.reject(refusal) });
    row.send({ type: "stage.edit" });
    row.send({ type: "stage.choose", stageId: "stage-2" });
    await waitFor(row, (snapshot) => snapshot.matches({ stage: "choosing" }));
    expect(row.getSnapshot().context.stageProblem).toEqual("That stage is gone.");
    row.send({ type: "stage.pick", stageId: "stage-2" });
    expect(row.getSnapshot().context.stageProblem).toEqual(null);
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
    expect([calls, row.getSnapshot().context.lead.followup_order_sent]).toEqual([1, 1]);
  });

  it("counts once although a reading has counted it before its answer came", async () => {
    let answer: (outcome: { kind: "sent" }) => void = () => {};
    const { row } = startRow({ sendFollowup: () => new Promise((resolve) => (answer = resolve)) });
    row.send({ type: "followup.send" });
    row.send({ type: "lead.refreshed", lead: leadNumber(1, { followup_order_sent: 1 }), steps: twoSteps });
    answer({ kind: "sent" });
    await waitFor(row, (snapshot) => snapshot.matches({ followup: "sent" }));
    expect(row.getSnapshot().context.lead.followup_order_sent).toEqual(1);
  });

  it("to someone who opted out is asked about first, each time, and the opt-out stays", async () => {
    const lead = leadNumber(1, { opted_out_at: "2026-03-05T10:00:00Z" });
    let answer = false;
    let calls = 0;
    const sendFollowup = async () => {
      calls += 1;
      return { kind: "refused" as const, reason: null };
    };
    const { row, told } = startRow({ sendFollowup }, lead, () => answer);
    row.send({ type: "followup.send" });
    expect(row.getSnapshot().can({ type: "followup.send" })).toEqual(false);
    await waitFor(row, (snapshot) => snapshot.matches({ followup: "unsent" }));
    expect(calls).toEqual(0);
    answer = true;
    for (const round of [1, 2]) {
      row.send({ type: "followup.send" });
      await waitFor(row, (snapshot) => snapshot.matches({ followup: "refused" }));
      expect([calls, row.getSnapshot().context.lead.opted_out_at]).toEqual([round, lead.opted_out_at]);
    }
    const question = "confirm: This person asked for no more messages. Send this follow-up anyway?";
    expect(told.filter((words) => words.startsWith("confirm:"))).toEqual([question, question, question]);
  });

  it("is refused when every step was sent, or the stage has none", async () => {
    const { row } = startRow({}, leadNumber(1, { followup_order_sent: 1 }));
    expect(row.getSnapshot().can({ type: "followup.send" })).toEqual(true);
    row.send({ type: "followup.send" });
    await waitFor(row, (snapshot) => snapshot.matches({ followup: "sent" }));
    expect(row.getSnapshot().can({ type: "followup.send" })).toEqual(false);
    expect(nextStep(leadNumber(2, { followup_order_sent: 1 }), twoSteps)).toEqual("Shall we talk?");
    expect([
      nextStep(leadNumber(2, { stage_id: "stage-2" }), twoSteps),
      nextStep(leadNumber(2, { stage_id: null }), twoSteps),
    ]).toEqual([null, null]);
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

  it("counts as sent when a reading shows that it went out without a response", async () => {
    const asked: string[] = [];
    const { row } = startRow({
      sendFollowup({ step }) {
        asked.push(step);
        return Promise.reject(new Error("offline"));
      },
    });
    const isUnanswered = () => waitFor(row, (snapshot) => snapshot.matches({ followup: "unanswered" }));
    row.send({ type: "followup.send" });
    await isUnanswered();
    row.send({ type: "followup.send" });
    await isUnanswered();
    expect(asked).toEqual(["stage-1:0", "stage-1:0"]);
    row.send({ type: "lead.refreshed", lead: leadNumber(1, { followup_order_sent: 1 }), steps: twoSteps });
    expect(row.getSnapshot().matches({ followup: "sent" })).toEqual(true);
    expect(row.getSnapshot().context.refusal).toEqual(null);
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
