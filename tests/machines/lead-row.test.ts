import { describe, expect, it } from "vitest";
import { type Lead, isAwaitingReply } from "../../domain/lead.ts";
import { type LeadRowParts, createLeadRow, selectRow } from "../../src/machines/lead-row/lead-row.machine.ts";
import type { StepsByStage } from "../../src/machines/lead-row/lead-row.steps.ts";
import { createFollowupSends } from "../../src/services/followup-sends.ts";
import { HttpError } from "../../src/services/http.ts";
import { createNotesDrafts } from "../../src/services/leads.ts";
import type { ReadLead } from "../../src/services/own-writes.ts";
import { english } from "../support/english.ts";
import { RESET, leadNumber, rowWrites, twoSteps } from "../support/leads.ts";
import { type ContextOf, type Visit, isCalling, unchecked, walkEveryPath } from "../support/invariants.ts";
import { unanswered } from "../support/model.ts";
import { fakePage, settle, startJourney } from "../support/page.ts";
import { leadRowModel } from "./lead-row.model.ts";

type Context = ContextOf<typeof leadRowModel>;
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

walkEveryPath(leadRowModel, {
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
      ...unchecked("start", "stage.cancel"),
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
      ...unchecked("start", "error askConfirmation"),
      "done askConfirmation": ({ event }) => expect(event.output).toEqual(false),
    },
  },
  "followup.confirming": {
    after: { "followup.send": ({ context: { lead: now, newer } }) => expect((newer ?? now).opted_out_at).toBeTruthy() },
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

type Overrides = Partial<LeadRowParts["leads"]> & Pick<LeadRowParts, "sendFollowup">;

function startRow(overrides: Overrides = {}, lead = leadNumber(1, { notes: "Hello" })) {
  const page = fakePage();
  const { sendFollowup = async () => ({ kind: "sent" }), ...writes } = overrides;
  const calls: string[] = [];
  const leads = { ...rowWrites((write) => calls.push(write)), ...writes };
  const list = {
    send: ({ type }: { type: string }) => void calls.push(type),
    getSnapshot: () => ({ status: "active" }),
  };
  const input = { lead, steps: twoSteps, draft: null, list };
  const journey = startJourney(createLeadRow(page, { leads, sendFollowup }), { input });
  const drafts = createNotesDrafts(page.drafts);
  return {
    ...journey,
    calls,
    notices: page.notices,
    draft: () => drafts.read("lead-1"),
    undo: () => (page.undos[0]?.(), settle()),
    /** Types a note and leaves the field. */
    note: (notes: string) => journey.go({ type: "notes.change", notes }, { type: "notes.leave" }),
    move: (stageId = "stage-2") => journey.go({ type: "stage.edit" }, { type: "stage.choose", stageId }),
    sendNext: () => journey.go({ type: "followup.send" }),
    refresh: (change: Partial<ReadLead>, steps: StepsByStage = twoSteps) =>
      journey.go({ type: "lead.refreshed", lead: { ...lead, ...change }, steps }),
  };
}
const refuse = (status: number, message: string) => () => Promise.reject(new HttpError(status, { message }));
const offline = () => Promise.reject(new Error("offline"));

describe("notes", () => {
  it("show the server's refusal until they are saved again", async () => {
    const { note, go, context } = startRow({ saveNotes: refuse(422, "Too long.") });
    await note("Precious");
    expect(context().notesProblem).toEqual("Not saved. Too long.");
    void go({ type: "notes.retry" });
    expect(context().notesProblem).toEqual("Not saved.");
  });

  it.each([[["Left in a hurry"]], [["one", "two"]]])(
    "are saved after the row is gone, also if typed during a save: %j",
    async (texts) => {
      const { note, leave, calls, draft } = startRow();
      for (const notes of texts) void note(notes);
      await leave();
      expect([calls, draft()]).toEqual([texts.map((notes) => `notes: ${notes}`), null]);
    },
  );

  it("that fail after the row is gone cause a warning and stay as a draft", async () => {
    const { note, leave, notices, draft } = startRow({ saveNotes: offline });
    void note("Precious");
    await leave();
    const words = "A note may not have been saved. It is kept on the leads screen: try again there.";
    expect([notices, draft()]).toEqual([[["warning", unanswered(words)]], { notes: "Precious", over: "Hello" }]);
  });

  it("stay unsaved when a read during a refused save already showed them", async () => {
    const refusal = Promise.withResolvers<string>();
    const { note, go, refresh, snapshot, draft } = startRow({ saveNotes: () => refusal.promise });
    await note("Precious");
    await refresh({ notes: "Precious", isNoteInFlight: true });
    refusal.reject(new HttpError(415, { message: "Refused." }));
    await go();
    expect([snapshot().value.notes, draft()]).toEqual(["unsaved", { notes: "Precious", over: "Hello" }]);
  });

  it("show text added elsewhere, which is the base of the next edit", async () => {
    const saves: unknown[] = [];
    const { note, context } = startRow({
      saveNotes: async ({ notes, over }) => (saves.push(notes, over), `${notes}\nAdded`),
    });
    await note("Hello there");
    expect(context().notes).toEqual("Hello there\nAdded");
    await note("Bye");
    expect(saves).toEqual(["Hello there", "Hello", "Bye", "Hello there\nAdded"]);
  });
});

describe("a stage change", () => {
  it("resets the follow-ups, says so in a toast and reloads the list", async () => {
    const lead = leadNumber(1, { followup_order_sent: 2, last_user_message_at: "2026-03-05T10:00:00Z" });
    const { move, context, calls, notices } = startRow({}, lead);
    await move();
    expect([calls, notices]).toEqual([["stage: stage-2", "list.reload"], ["Lead stage updated"]]);
    expect(context().lead).toEqual({ ...lead, ...RESET, stage_id: "stage-2", stage_entered_at: null });
  });

  it("is undone by the toast's Undo, also when the row is gone", async () => {
    const { move, chart, calls, notices, undo } = startRow();
    await move();
    chart.stop();
    await undo();
    expect([...calls.slice(2), notices.at(-1)]).toEqual([
      "stage: back",
      "list.reload",
      "The lead is back where it was.",
    ]);
  });

  it("says so when it can no longer be undone", async () => {
    const { move, calls, notices, undo } = startRow({ undoStage: () => Promise.reject(new HttpError(409, null)) });
    await move();
    await undo();
    const words = "The stage change could not be undone. Choose the stage again.";
    expect([calls.at(-1), notices.at(-1)]).toEqual(["lead.changed", ["warning", words]]);
  });

  it("shows the server's reason for a refusal", async () => {
    const { move, context, notices } = startRow({ changeStage: refuse(409, "Not now.") });
    await move();
    expect([context().stageProblem, notices]).toEqual(["Not now.", [["alert", "Failed to update stage"]]]);
  });
});

describe("a follow-up by hand", () => {
  it("counts once when a refresh has counted it before its response", async () => {
    const answer = Promise.withResolvers<{ kind: "sent" }>();
    const { sendNext, refresh, snapshot } = startRow({ sendFollowup: () => answer.promise });
    await sendNext();
    await refresh({ followup_order_sent: 1 });
    answer.resolve({ kind: "sent" });
    await settle();
    expect([snapshot().value.followup, snapshot().context.lead.followup_order_sent]).toEqual(["sent", 1]);
  });

  /** Starts a row whose follow-up requests get no response, and records the requested steps. */
  function startWithoutResponses(lead?: Lead) {
    const requested: string[] = [];
    const sendFollowup = ({ step }: { step: string }) => (requested.push(step), offline());
    return { ...startRow({ sendFollowup }, lead), requested };
  }

  it("has another key after the lead left its stage and returned", async () => {
    const { sendNext, refresh, requested } = startWithoutResponses(
      leadNumber(1, { stage_entered_at: "2026-03-05T10:00:00Z" }),
    );
    await sendNext();
    await sendNext();
    await refresh({ stage_entered_at: "2026-03-06T10:00:00Z" });
    await sendNext();
    expect(requested).toEqual(["05", "05", "06"].map((day) => `stage-1:0:2026-03-${day}T10:00:00Z`));
  });

  it("keeps its key when a refresh brings the time of the stage change", async () => {
    const { move, sendNext, refresh, requested } = startWithoutResponses();
    const steps = { "stage-1": ["Hi"], "stage-2": ["Hello"] };
    const readInSecond = (stage_entered_at: string) => refresh({ stage_id: "stage-2", stage_entered_at }, steps);
    await refresh({}, steps);
    await move("stage-2");
    await sendNext();
    await readInSecond("2026-03-05T10:00:00Z");
    await sendNext();
    await sendNext();
    await move("stage-1");
    await move("stage-2");
    await readInSecond("2026-03-06T10:00:00Z");
    await sendNext();
    expect(requested).toEqual([...Array<string>(3).fill("stage-2:0:"), "stage-2:0:2026-03-06T10:00:00Z"]);
  });

  it("stays unanswered after a refresh in which its step may have been skipped", async () => {
    const { sendNext, refresh, snapshot } = startWithoutResponses();
    await sendNext();
    await refresh({ followup_order_sent: 1 });
    expect(snapshot().value.followup).toEqual("unanswered");
  });

  it("completes after the user leaves the screen, and reports a refusal", async () => {
    const { sendNext, leave, notices } = startRow({
      sendFollowup: async () => ({ kind: "refused", reason: "No step left." }),
    });
    void sendNext();
    await leave();
    expect(notices).toEqual([["warning", "Failed to send. No step left."]]);
  });

  it.each([
    [502, null],
    [500, { code: "internal_error", message: "The server broke off." }],
  ])("shows a failure after a %i, and success once newer data shows it was sent", async (status, body) => {
    const raw = () => Promise.reject(new HttpError(status, body));
    const http = Object.assign(raw, { raw });
    const { sendNext, refresh, snapshot } = startRow({ sendFollowup: createFollowupSends(http).send });
    await sendNext();
    const { followupState, refusal } = selectRow(snapshot());
    expect([followupState, english(refusal ?? "")]).toEqual([
      "refused",
      expect.stringContaining("The follow-up may have been sent. Sending again does not send it twice."),
    ]);
    await refresh({ followup_order_sent: 1, last_followup_sent_at: "2026-03-05T10:00:00Z" });
    expect(selectRow(snapshot()).followupState).toEqual("sent");
  });
});

it.each([
  ["2026-03-05T10:00:01Z", "2026-03-05T10:00:00Z", true],
  ["2026-03-05T10:00:00Z", "2026-03-05T10:00:00Z", false],
  ["2026-03-05T09:00:00Z", "2026-03-05T10:00:00Z", false],
  ["2026-03-05T10:00:00Z", null, true],
  [null, null, false],
])("a lead whose last message is from %s, our last from %s, awaits a reply: %s", (last, own, isAwaiting) =>
  expect(isAwaitingReply(leadNumber(1, { last_message_at: last, last_user_message_at: own }))).toEqual(isAwaiting),
);
