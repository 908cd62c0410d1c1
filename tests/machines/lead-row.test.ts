import { describe, expect, it, vi } from "vitest";
import { type ContextFrom, createActor, waitFor } from "xstate";
import { type Lead, isAwaitingReply } from "../../domain/lead.ts";
import { type LeadRowParts, createLeadRow, selectRow } from "../../src/machines/lead-row/lead-row.machine.ts";
import { createFollowupSends } from "../../src/services/followup-sends.ts";
import { HttpError } from "../../src/services/http.ts";
import { createNotesDrafts } from "../../src/services/leads.ts";
import { english } from "../support/english.ts";
import { leadNumber, rowWrites, twoSteps } from "../support/leads.ts";
import { type Visit, unchecked } from "../support/invariants.ts";
import { unanswered } from "../support/model-events.ts";
import { fakePage } from "../support/page.ts";
import { isCalling } from "../support/reading-invariants.ts";
import { walkEveryPath } from "../support/walk-suite.ts";
import { leadRowMachine, leadRowModel } from "./lead-row.model.ts";

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
  const row = createActor(createLeadRow(page, { leads, sendFollowup }), {
    input: { lead, steps: twoSteps, draft: null, list },
  }).start();
  const drafts = createNotesDrafts(page.drafts);
  const at = (value: object) => waitFor(row, (snapshot) => snapshot.matches(value as never));
  return { row, calls, at, draft: () => drafts.read("lead-1"), said: page.said, undo: () => page.undos[0]?.() };
}

describe("notes", () => {
  it("that the server refuses are told in its words, until they are saved again", async () => {
    const { row, at } = startRow({ saveNotes: () => Promise.reject(new HttpError(422, { message: "Too long." })) });
    row.send({ type: "notes.change", notes: "Precious" });
    row.send({ type: "notes.leave" });
    await at({ notes: "unsaved" });
    expect(row.getSnapshot().context.notesProblem).toEqual("Not saved. Too long.");
    row.send({ type: "notes.retry" });
    expect(row.getSnapshot().context.notesProblem).toEqual("Not saved.");
  });

  it.each([[["Left in a hurry"]], [["one", "two"]]])(
    "reach the server although the row goes away, also those typed during a save: %j",
    async (texts) => {
      const { row, calls, draft } = startRow();
      for (const notes of texts) {
        row.send({ type: "notes.change", notes });
        row.send({ type: "notes.leave" });
      }
      row.stop();
      await vi.waitFor(() => expect(calls).toEqual(texts.map((notes) => `notes: ${notes}`)));
      await vi.waitFor(() => expect(draft()).toEqual(null));
    },
  );

  it("that fail after the row went away are told, and kept for when the person comes back", async () => {
    const { row, said, draft } = startRow({ saveNotes: () => Promise.reject(new Error("offline")) });
    row.send({ type: "notes.change", notes: "Precious" });
    row.send({ type: "notes.leave" });
    row.stop();
    await vi.waitFor(() => expect(said).toHaveLength(1));
    const words = "A note may not have been saved. It is kept on the leads screen: try again there.";
    expect(said).toEqual([["warning", unanswered(words)]]);
    expect(draft()).toEqual({ notes: "Precious", over: "Hello" });
  });
});

describe("notes that somebody else added to meanwhile", () => {
  it("are shown with what was added, and typed on over it", async () => {
    const saves: unknown[] = [];
    const { row, at } = startRow({
      async saveNotes({ notes, over }) {
        saves.push([notes, over]);
        return `${notes}\nAdded by a program`;
      },
    });
    const save = async (notes: string) => {
      row.send({ type: "notes.change", notes });
      row.send({ type: "notes.leave" });
      await at({ notes: "saved" });
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
  async function move(overrides: Overrides = {}, lead?: Lead) {
    const started = startRow(overrides, lead);
    started.row.send({ type: "stage.edit" });
    started.row.send({ type: "stage.choose", stageId: "stage-2" });
    await started.at({ stage: "shown" });
    return started;
  }

  it("resets the follow-ups, says so in a toast and reloads the list", async () => {
    const lead = leadNumber(1, { followup_order_sent: 2, last_user_message_at: "2026-03-05T10:00:00Z" });
    const { row, calls, said } = await move({}, lead);
    expect([calls, said]).toEqual([["stage: stage-2", "list.reload"], ["Lead stage updated"]]);
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
    const { row, calls, said, undo } = await move();
    row.stop();
    undo();
    await vi.waitFor(() => expect(calls.slice(2)).toEqual(["stage: back", "list.reload"]));
    expect(said.at(-1)).toEqual("The lead is back where it was.");
  });

  it("that cannot be taken back any more says so", async () => {
    const { calls, said, undo } = await move({ undoStage: () => Promise.reject(new HttpError(409, null)) });
    undo();
    await vi.waitFor(() => expect(calls.at(-1)).toEqual("lead.changed"));
    expect(said.at(-1)).toEqual(["warning", "The stage change could not be undone. Choose the stage again."]);
  });

  it("gives the server's reason when it refuses", async () => {
    const { row, said } = startRow({ changeStage: () => Promise.reject(new HttpError(409, { message: "Not now." })) });
    row.send({ type: "stage.edit" });
    row.send({ type: "stage.choose", stageId: "stage-2" });
    await vi.waitFor(() => expect(row.getSnapshot().context.stageProblem).toEqual("Not now."));
    expect(said).toEqual([["alert", "Failed to update stage"]]);
  });
});

describe("a follow-up by hand", () => {
  it("counts once although a reading has counted it before its answer came", async () => {
    let answer: (outcome: { kind: "sent" }) => void = () => {};
    const { row, at } = startRow({ sendFollowup: () => new Promise((resolve) => (answer = resolve)) });
    row.send({ type: "followup.send" });
    row.send({ type: "lead.refreshed", lead: leadNumber(1, { followup_order_sent: 1 }), steps: twoSteps });
    answer({ kind: "sent" });
    await at({ followup: "sent" });
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

  it("is the same one after a reading tells when the lead was moved into its stage", async () => {
    const asked: string[] = [];
    const { row, at } = startRow({
      sendFollowup: ({ step }) => {
        asked.push(step);
        return Promise.reject(new Error("offline"));
      },
    });
    const steps = { "stage-1": ["Hi"], "stage-2": ["Hello"] };
    const refresh = (change: Partial<Lead>) =>
      row.send({ type: "lead.refreshed", lead: leadNumber(1, { notes: "Hello", ...change }), steps });
    const move = async (stageId: string) => {
      row.send({ type: "stage.edit" });
      row.send({ type: "stage.choose", stageId });
      await at({ stage: "shown" });
    };
    const send = async () => {
      row.send({ type: "followup.send" });
      await at({ followup: "unanswered" });
    };
    refresh({});
    await move("stage-2");
    await send();
    refresh({ stage_id: "stage-2", stage_entered_at: "2026-03-05T10:00:00Z" });
    await send();
    await send();
    await move("stage-1");
    await move("stage-2");
    refresh({ stage_id: "stage-2", stage_entered_at: "2026-03-06T10:00:00Z" });
    await send();
    expect(asked).toEqual([...Array<string>(3).fill("stage-2:0:"), "stage-2:0:2026-03-06T10:00:00Z"]);
  });

  it("goes on when the screen is left, and what became of it is told", async () => {
    const { row, said } = startRow({ sendFollowup: async () => ({ kind: "refused", reason: "No step left." }) });
    row.send({ type: "followup.send" });
    row.stop();
    await vi.waitFor(() => expect(said).toEqual([["warning", "Failed to send. No step left."]]));
  });

  it("refused by the server is told apart from one that got no answer", async () => {
    const refused = startRow({ sendFollowup: async () => ({ kind: "refused", reason: "No step left." }) });
    refused.row.send({ type: "followup.send" });
    await refused.at({ followup: "refused" });
    const silent = startRow({ sendFollowup: () => Promise.reject(new Error("offline")) });
    silent.row.send({ type: "followup.send" });
    await silent.at({ followup: "unanswered" });
    const read = leadNumber(1, { followup_order_sent: 1 });
    silent.row.send({ type: "lead.refreshed", lead: read, steps: twoSteps });
    // The step may as well have been skipped.
    expect(silent.row.getSnapshot().value.followup).toEqual("unanswered");
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
    expect([shown.followupState, english(shown.refusal ?? "")]).toEqual([
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
