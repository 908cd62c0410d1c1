import { describe, expect, it, vi } from "vitest";
import { type ContextFrom, createActor, waitFor } from "xstate";
import type { UiTextOrString } from "../../domain/ui-text.ts";
import { english } from "../support/english.ts";
import { MEDIA_MAX_BYTES } from "../../domain/limits.ts";
import type { Followup } from "../../domain/followup.ts";
import { NO_EDITS, editsDraft } from "../../src/machines/followups/followups.draft.ts";
import { groupsOf, wrongIn } from "../../src/machines/followups/followups.rows.ts";
import { createFollowups, selectDraft, selectGroupState } from "../../src/machines/followups/followups.machine.ts";
import type { createFollowupsGateway } from "../../src/services/followups.ts";
import { HttpError } from "../../src/services/http.ts";
import { followupAt, picture } from "../support/followups.ts";
import { twoStages } from "../support/leads.ts";
import { failureText } from "../support/model-events.ts";
import { fakePage } from "../support/page.ts";
import { firstReadingInvariants, isCalling, shownReadingInvariants } from "../support/reading-invariants.ts";
import { unchecked } from "../support/invariants.ts";
import { walkEveryPath } from "../support/walk-suite.ts";
import { followupsMachine, followupsModel } from "./followups.model.ts";

type Context = ContextFrom<typeof followupsMachine>;
const FIRST = "stage-1-followup-0";
const TAKEN = "This stage already has a follow-up with that order.";
const LIST_EDITS = ["followup.change", "followup.restored"];
const isFirst = ({ id }: { id: string }) => id === FIRST;
const isEdited = ({ message, saved }: Context["rows"][number]) => message !== saved.message;

walkEveryPath(followupsMachine, followupsModel, {
  list: {
    accepts: ({ rows }) => ["followup.restored", ...(rows.some(isFirst) ? ["followup.change"] : [])],
    holds: ({ cause, context, before, calls, isIn }) => {
      if (cause === "followup.change") {
        expect(context.rows).toEqual(before.rows.map((row) => (isFirst(row) ? { ...row, message: "Hi again" } : row)));
        expect(context.group).toEqual(before.group?.isSaved ? null : before.group);
      }
      if (cause !== "followup.restored") return;
      if (isIn("list.loading") || isIn("list.ready.refreshing")) isCalling("fetchBoard")({ calls });
      if (isIn("list.loading")) return expect(context).toEqual(before);
      const others = before.rows.filter((row) => !isFirst(row)).map(({ id, order }) => [id, order + 1]);
      expect(context.rows.map(({ id, order }) => [id, order])).toEqual([...others, [FIRST, 0]]);
    },
  },
  ...firstReadingInvariants("list.", "fetchBoard", { keeps: LIST_EDITS }),
  "list.ready": {
    accepts: ({ rows }) => [
      "edits.restore",
      ...(rows.some(isFirst) ? ["followup.delete"] : []),
      ...(rows.some(isEdited) && !rows.some(({ isConflict }) => isConflict) ? ["group.save"] : []),
      ...(rows.some(({ isConflict }) => isConflict) ? ["followup.choose"] : []),
    ],
    holds: ({ cause, event, context, before, calls }) => {
      const id = cause === "error deleteFollowup" ? FIRST : null;
      const group = id === null ? "stage-1" : undefined;
      const message =
        cause === "error fetchCurrent"
          ? "Not saved: this was changed elsewhere, and the current version could not be read. Try again."
          : failureText(
              event.output === undefined ? event : { error: event.output.failure },
              id === null
                ? "The changes may have been saved. What you typed is kept: try again."
                : "The follow-up may have been deleted.",
            );
      if (!/^error (save|delete|fetchCurrent)/.test(cause) && !(cause === "done saveChanges" && event.output.failure))
        return;
      expect(context).toEqual({ ...before, refusal: { group, id, message } });
      isCalling("fetchBoard")({ calls });
    },
  },
  ...shownReadingInvariants<Context>("list.ready.", "fetchBoard", null, {
    keeps: [...LIST_EDITS, "edits.restore", "followup.choose"],
  }),
  "list.ready.current": {
    accepts: ["reading.refresh"],
    after: {
      ...unchecked("followup.change", "followup.restored"),
      "done fetchBoard": ({ context, before, event }) => {
        expect(context.stages).toEqual(event.output.stages);
        const first = before.rows.some((row) => isFirst(row) && isEdited(row)) ? "Hi again" : "Message 1";
        expect(context.rows.map(({ message }) => message)).toEqual([first, "Message 2"]);
      },
      "edits.restore": ({ context, before }) =>
        expect(context.rows.filter(isEdited)).toHaveLength(before.rows.filter(isFirst).length),
      "followup.choose": ({ event, context, before }) => {
        const [chosen, typed] = [context.rows.find(isFirst), before.rows.find(isFirst)];
        expect([typed?.isConflict, chosen?.isConflict]).toEqual([true, undefined]);
        expect(chosen?.message).toEqual(event.version === "mine" ? typed?.message : typed?.saved.message);
      },
      "done fetchCurrent": ({ context, before }) => {
        const isListed = context.rows.some(isFirst);
        expect(context.rows.find(isFirst)?.isConflict).toEqual(isListed ? true : undefined);
        if (isListed) expect(english(context.refusal?.message ?? "")).toContain("Choose which version to keep");
        else if (before.form.message === "") expect(context.form.message).toEqual("Hi again");
      },
      "done saveChanges": ({ context, effects }) => {
        expect(context.rows.filter(isEdited)).toEqual([]);
        expect([context.group, context.refusal]).toEqual([{ stageId: "stage-1", isSaved: true }, null]);
        expect(effects).toEqual({ showToast: { message: "Follow-up edited successfully." } });
      },
      "done deleteFollowup": ({ context, before }) => {
        const others = before.rows.filter((row) => !isFirst(row));
        expect(context.rows).toEqual(others.map((row, order) => ({ ...row, order })));
      },
    },
  },
  "list.saving": {
    after: {
      ...unchecked("followup.change", "followup.restored"),
      "group.save": ({ context }) =>
        expect(context).toMatchObject({ refusal: null, group: { stageId: "stage-1", isSaved: false } }),
      "done fetchCurrent": ({ context }) =>
        expect(context.rows.filter(({ isConflict }) => isConflict === true)).toEqual([]),
    },
    holds: isCalling("saveChanges", [{ id: FIRST, message: "Hi again", delay_hours: 24 }]),
  },
  "list.merging": {
    after: {
      ...unchecked("followup.change", "followup.restored"),
      "done saveChanges": ({ event }) => expect(event.output.failure.body.code).toEqual("stale"),
    },
    holds: ({ calls }) => expect(Object.keys(calls)).toContain("fetchCurrent"),
  },
  // Never rests: what was merged is saved or asked about at once.
  "list.merged": { after: [] },
  "list.deleting": {
    after: {
      ...unchecked("followup.change", "followup.restored"),
      "followup.delete": ({ context, before, calls }) => {
        expect([context.deletingId, context.refusal]).toEqual([FIRST, null]);
        const orders = before.rows.length < 2 ? [] : [{ id: "stage-1-followup-1", followup_order: 0 }];
        isCalling("deleteFollowup", { id: FIRST, orders })({ calls });
      },
    },
  },
  "form.awaitingFollowup": {
    accepts: ["form.change", "media.choose", "form.submit"],
    after: {
      ...unchecked("start", "done showAlert", "error showAlert"),
      "form.change": ({ context, before, event }) => {
        const { media } = before.marks;
        const marks = media === undefined ? {} : { media };
        expect(context).toEqual({ ...before, form: { ...before.form, ...event.change }, marks, formRefusal: null });
      },
      "media.choose": ({ context, before, event }) => {
        expect(context.form).toEqual({ ...before.form, media: event.media });
        expect(context.marks).not.toHaveProperty("media");
        expect(event.media.size).toEqual(10);
      },
      "done addFollowup": ({ context, before, event, effects }) => {
        expect(context.rows.map(({ id }) => id)).toEqual([...before.rows.map(({ id }) => id), event.output.id]);
        const blank = { stageId: "stage-1", message: "", order: "", delay: "24", media: null, lostMedia: "" };
        expect(context).toMatchObject({ form: blank, marks: {}, formRefusal: null });
        expect(effects).toEqual({ showToast: { message: "Follow-up added successfully." } });
      },
      "error addFollowup": ({ context, before, event }) => {
        const message =
          "The follow-up may have been added. If it is not in the list, try again: it is not added twice.";
        expect(context).toEqual({ ...before, marks: {}, formRefusal: failureText(event, message) });
      },
    },
    holds: ({ context }) => expect(context.form.media?.size ?? 0).toBeLessThan(20),
  },
  "form.alerting": {
    after: {
      "form.submit": ({ context: { form, alert, marks } }) => {
        const isIncomplete = form.message === "";
        expect(alert).toEqual(isIncomplete ? "Please complete all fields before adding." : TAKEN);
        expect(Object.keys(marks)).toEqual(isIncomplete ? ["stageId", "message"] : ["order"]);
      },
    },
    holds: ({ context, calls }) => isCalling("showAlert", { message: context.alert })({ calls }),
  },
  "form.refusingMedia": {
    after: { "media.choose": ({ event }) => expect(event.media.size).toBeGreaterThan(10_485_760) },
    holds: isCalling("showAlert", { message: "File too large. Max 10MB allowed." }),
  },
  "form.adding": {
    after: {
      "form.submit": ({ context: { form, rows }, calls }) => {
        const { message, media } = form;
        const input = { stage_id: "stage-1", message, followup_order: rows.length, delay_hours: 24, media };
        isCalling("addFollowup", input)({ calls });
      },
    },
  },
});

function startFollowups(
  stored: Followup[] = [followupAt(0), followupAt(1)],
  gateway: Partial<ReturnType<typeof createFollowupsGateway>> = {},
) {
  const calls: unknown[] = [];
  let comeBack = () => {};
  let restored = (_followup: Followup) => {};
  const page = {
    ...fakePage(),
    notifier: {
      warn: (message: UiTextOrString) => void calls.push(`warn: ${english(message)}`),
      toast: (message: UiTextOrString) => void calls.push(`toast: ${english(message)}`),
      alert: async (message: UiTextOrString) => void calls.push(`alert: ${english(message)}`),
      confirm: async () => true,
    },
    logger: { warn: (what: string) => void calls.push(`log: ${what}`) },
  };
  const logic = createFollowups(page, {
    followups: {
      list: async () => stored,
      add: async (followup) => {
        calls.push(["POST", followup]);
        return followupAt(followup.followup_order, followup.stage_id, { id: "added", message: followup.message });
      },
      change: async (change) => void calls.push(["PATCH", change]),
      setOrder: async (change) => void calls.push(["PATCH", change]),
      remove: async ({ id }) => void calls.push(["DELETE", id]),
      ...gateway,
    },
    undoing: {
      offer: (id) => calls.push(`undo offered: ${id}`),
      onRestored: (listener) => {
        restored = listener;
        return () => {};
      },
    },
    stages: { list: async () => twoStages },
    onReturn(listener) {
      comeBack = () => listener("shown");
      return () => {};
    },
  });
  const screen = createActor(logic).start();
  const isReady = () => waitFor(screen, (snapshot) => snapshot.matches({ list: "ready" }));
  const draft = () => editsDraft(page.drafts).read()?.edits ?? [];
  const isFormOpen = () => waitFor(screen, (snapshot) => snapshot.matches({ form: "awaitingFollowup" }));
  return {
    screen,
    calls,
    isReady,
    isFormOpen,
    restore: (followup: Followup) => restored(followup),
    comeBack: () => comeBack(),
    rows: () => screen.getSnapshot().context.rows.map(({ message, delay }) => `${message} after ${delay}`),
    keepDraft() {
      editsDraft(page.drafts).write({ edits: selectDraft(screen.getSnapshot()) ?? "" }, NO_EDITS);
      return draft();
    },
    draft,
  };
}

describe("coming back to the page", () => {
  it("after a reload finds what was typed, without what has been saved meanwhile", async () => {
    const before = startFollowups();
    await before.isReady();
    before.screen.send({ type: "followup.change", id: "stage-1-followup-0", change: { message: "Hi again" } });
    before.screen.send({ type: "followup.change", id: "stage-1-followup-1", change: { delay: "7" } });
    const draftEdits = before.keepDraft();
    const { screen, isReady, rows } = startFollowups();
    await isReady();
    screen.send({ type: "edits.restore", edits: draftEdits });
    expect(rows()).toEqual(["Hi again after 24", "Message 2 after 7"]);
    before.screen.send({ type: "group.save", stageId: "stage-1" });
    before.screen.stop();
    await vi.waitFor(() => expect(before.draft()).toEqual([]));
  });
});

describe("a new follow-up", () => {
  const fill = { stageId: "stage-1", message: "Still there?", delay: "48" };

  it.each([
    ["nothing typed", "", 2],
    ["below the first", "0", 2],
    ["beyond the next", "4", 2],
    ["the next", "3", 2],
  ])("with %s as its order comes last, counted from zero", async (_case, order, stored) => {
    const { screen, calls, isReady, isFormOpen } = startFollowups();
    await isReady();
    screen.send({ type: "form.change", change: { ...fill, order } });
    screen.send({ type: "form.submit" });
    await isFormOpen();
    expect(calls).toEqual([
      ["POST", { stage_id: "stage-1", message: "Still there?", followup_order: stored, delay_hours: 48, media: null }],
      "toast: Follow-up added successfully.",
    ]);
    expect(screen.getSnapshot().context.form).toEqual({
      stageId: "stage-1",
      order: "",
      delay: "24",
      message: "",
      media: null,
      lostMedia: "",
    });
  });

  it("waits for its stage to be known: a place cannot be counted before", async () => {
    const { screen, calls, isReady, isFormOpen } = startFollowups();
    screen.send({ type: "form.change", change: fill });
    screen.send({ type: "form.submit" });
    await isFormOpen();
    expect(calls).toEqual(["alert: Please complete all fields before adding."]);
    await isReady();
    screen.send({ type: "form.change", change: { stageId: "deleted meanwhile" } });
    screen.send({ type: "form.submit" });
    await isFormOpen();
    expect(calls).toHaveLength(2);
  });

  it("is marked at each field that lacks something, or was refused, until that is changed", async () => {
    const message = "May have 4096 characters at most.";
    const { screen, isReady, isFormOpen } = startFollowups([followupAt(0)], {
      add: () => Promise.reject(new HttpError(422, { message, code: "invalid_input", fields: { message } })),
    });
    const marks = () => screen.getSnapshot().context.marks;
    await isReady();
    screen.send({ type: "form.change", change: { delay: " " } });
    screen.send({ type: "form.submit" });
    await isFormOpen();
    expect(marks()).toEqual({
      stageId: "Choose a stage.",
      message: "Write the message.",
      delay: "Write the delay: whole hours from 1 to 168.",
    });
    screen.send({ type: "form.change", change: { stageId: "stage-1", delay: "24" } });
    expect(marks()).toEqual({ message: "Write the message." });
    screen.send({ type: "form.change", change: { message: "Hi", order: "1" } });
    screen.send({ type: "form.submit" });
    await isFormOpen();
    expect(marks()).toEqual({ order: "This stage already has a follow-up with that order." });
    screen.send({ type: "form.change", change: { stageId: "stage-2" } });
    expect(marks()).toEqual({});
    screen.send({ type: "form.submit" });
    await vi.waitFor(() => expect(marks()).toEqual({ message }));
    expect(screen.getSnapshot().context.formRefusal).toEqual(null);
  });

  it.each([
    ["text", { message: "x".repeat(4_097) }, { message: expect.stringMatching(/^Too long: .*Take 1 away\.$/) }],
    [
      "file",
      { media: new File(["x"], "notes.txt", { type: "text/plain" }) },
      { media: expect.stringContaining("notes.txt") },
    ],
    ["delay", { delay: "169" }, { delay: expect.any(String) }],
  ])("with a %s that cannot be sent stays in the form, which keeps it", async (_, change, expected) => {
    const { screen, calls, isReady } = startFollowups();
    await isReady();
    screen.send({ type: "form.change", change: { ...fill, ...change } });
    screen.send({ type: "form.submit" });
    const { form } = screen.getSnapshot().context;
    expect([calls, form]).toMatchObject([[], change]);
    const marks = Object.entries(wrongIn(form)).map(([field, text]) => [field, english(text)]);
    expect(Object.fromEntries(marks)).toEqual(expected);
  });

  it("carries media of exactly 10 MB, and one byte more clears the file", async () => {
    const { screen, calls, isReady, isFormOpen } = startFollowups();
    await isReady();
    screen.send({ type: "media.choose", media: picture(MEDIA_MAX_BYTES + 1) });
    await isFormOpen();
    expect(calls).toEqual(["alert: File too large. Max 10MB allowed."]);
    expect(screen.getSnapshot().context.marks).toEqual({ media: "File too large. Max 10MB allowed." });
    expect(screen.getSnapshot().context.form.media).toEqual(null);
    const allowed = picture(MEDIA_MAX_BYTES);
    screen.send({ type: "media.choose", media: allowed });
    expect([screen.getSnapshot().context.form.media, screen.getSnapshot().context.marks]).toEqual([allowed, {}]);
  });
});

describe("saving a group", () => {
  const stored = [followupAt(0), followupAt(1), followupAt(0, "stage-2")];

  it("sends its edited follow-ups alone, hours as a whole number", async () => {
    const { screen, calls, isReady } = startFollowups(stored);
    await isReady();
    screen.send({ type: "followup.change", id: "stage-1-followup-1", change: { message: "Hi", delay: "12" } });
    screen.send({ type: "followup.change", id: "stage-2-followup-0", change: { message: "Not now" } });
    screen.send({ type: "group.save", stageId: "stage-1" });
    await isReady();
    expect(calls).toEqual([
      ["PATCH", { id: "stage-1-followup-1", message: "Hi", delay_hours: 12 }],
      "toast: Follow-up edited successfully.",
    ]);
    expect(selectGroupState("stage-1")(screen.getSnapshot())).toEqual("saved");
    expect(selectGroupState("stage-2")(screen.getSnapshot())).toEqual("edited");
  });

  it("that another tab has saved too asks which version to keep where both changed one field", async () => {
    let [known, isStale] = [[...stored], true];
    const sent: unknown[] = [];
    const { screen, isReady, rows, keepDraft } = startFollowups(stored, {
      list: async () => known,
      change: async (change) => {
        if (isStale) throw new HttpError(409, { code: "stale", message: "Changed elsewhere." });
        sent.push(change);
      },
    });
    await isReady();
    screen.send({ type: "followup.change", id: "stage-1-followup-0", change: { message: "Mine" } });
    screen.send({ type: "followup.change", id: "stage-1-followup-1", change: { delay: "12" } });
    known = known.map((one) => (one.id === "stage-1-followup-1" ? one : { ...one, message: "Theirs" }));
    screen.send({ type: "group.save", stageId: "stage-1" });
    await isReady();
    const { rows: merged, refusal } = screen.getSnapshot().context;
    expect(merged[0]).toMatchObject({ message: "Mine", isConflict: true, saved: { message: "Theirs" } });
    expect(english(refusal?.message ?? "")).toContain("Choose which version to keep");
    expect(keepDraft()[0]).toMatchObject({ isConflict: true });
    isStale = false;
    screen.send({ type: "group.save", stageId: "stage-1" });
    expect(sent).toEqual([]);
    screen.send({ type: "followup.choose", id: "stage-1-followup-0", version: "saved" });
    screen.send({ type: "group.save", stageId: "stage-1" });
    await isReady();
    expect(sent).toEqual([{ id: "stage-1-followup-1", message: "Message 2", delay_hours: 12 }]);
    expect(rows()[0]).toEqual("Theirs after 24");
  });

  it("that another tab has saved too sends the rest again by itself", async () => {
    let [known, refusals] = [[...stored], 1];
    const sent: unknown[] = [];
    const { screen, isReady, rows } = startFollowups(stored, {
      list: async () => known,
      change: async (change) => {
        if (refusals-- > 0) throw new HttpError(409, { code: "stale", message: "Changed elsewhere." });
        sent.push(change);
      },
    });
    await isReady();
    screen.send({ type: "followup.change", id: "stage-1-followup-0", change: { message: "Mine" } });
    known = known.map((one) => ({ ...one, delay_hours: 3 }));
    screen.send({ type: "group.save", stageId: "stage-1" });
    await waitFor(screen, (snapshot) => snapshot.context.group?.isSaved === true);
    expect(sent).toEqual([{ id: "stage-1-followup-0", message: "Mine", delay_hours: 3 }]);
    expect(rows().slice(0, 2)).toEqual(["Mine after 3", "Message 2 after 3"]);
  });

  it("keeps the text of a follow-up that was deleted elsewhere in the form", async () => {
    let known = [...stored];
    const { screen, isReady, comeBack } = startFollowups(stored, { list: async () => known });
    await isReady();
    screen.send({ type: "followup.change", id: "stage-1-followup-0", change: { message: "Mine" } });
    known = known.slice(1);
    comeBack();
    await waitFor(screen, (snapshot) => snapshot.context.rows.length === 2);
    const { form, formRefusal } = screen.getSnapshot().context;
    expect(form).toMatchObject({ stageId: "stage-1", message: "Mine", delay: "24" });
    expect(english(formRefusal ?? "")).toContain("deleted elsewhere");
  });

  it.each(["", "0", "169", "1.5"])("waits for a delay of %j to be put right", async (delay) => {
    const { screen, calls, isReady } = startFollowups(stored);
    await isReady();
    screen.send({ type: "followup.change", id: "stage-1-followup-0", change: { delay } });
    screen.send({ type: "group.save", stageId: "stage-1" });
    expect(screen.getSnapshot().matches({ list: "ready" })).toEqual(true);
    expect(calls).toEqual([]);
  });

  it("that half fails keeps the other half as unsaved and says nothing but to the log", async () => {
    const { screen, calls, isReady } = startFollowups(stored, {
      change: async ({ id }) => {
        if (id === "stage-1-followup-1") throw new Error("offline");
      },
    });
    await isReady();
    for (const id of ["stage-1-followup-0", "stage-1-followup-1"]) {
      screen.send({ type: "followup.change", id, change: { message: "Hi" } });
    }
    screen.send({ type: "group.save", stageId: "stage-1" });
    await isReady();
    expect(calls).toEqual(["log: follow-ups were not saved"]);
    expect(screen.getSnapshot().context.rows.map((row) => row.saved.message)).toEqual(["Hi", "Message 2", "Message 1"]);
  });
});

it("a delay typed with leading zeros is saved like any other", async () => {
  const { screen, calls, isReady } = startFollowups();
  await isReady();
  screen.send({ type: "followup.change", id: "stage-1-followup-0", change: { delay: "048" } });
  screen.send({ type: "group.save", stageId: "stage-1" });
  await isReady();
  expect(calls[0]).toMatchObject(["PATCH", { delay_hours: 48 }]);
  expect(selectGroupState("stage-1")(screen.getSnapshot())).toEqual("saved");
});

describe("deleting a follow-up", () => {
  it("numbers the rest of its stage from 0 and saves those that moved", async () => {
    const { screen, calls, isReady } = startFollowups([
      followupAt(0),
      followupAt(1),
      followupAt(2),
      followupAt(1, "stage-2"),
    ]);
    await isReady();
    screen.send({ type: "followup.delete", id: "stage-1-followup-1" });
    await isReady();
    expect(calls).toEqual([
      ["DELETE", "stage-1-followup-1"],
      ["PATCH", { id: "stage-1-followup-2", followup_order: 1 }],
      "undo offered: stage-1-followup-1",
    ]);
    expect(screen.getSnapshot().context.rows.map(({ id, order }) => [id, order])).toEqual([
      ["stage-1-followup-0", 0],
      ["stage-1-followup-2", 1],
      ["stage-2-followup-1", 1],
    ]);
  });

  it("goes on when the screen is left, renumbering and Undo included", async () => {
    const { screen, calls, isReady } = startFollowups();
    await isReady();
    screen.send({ type: "followup.delete", id: "stage-1-followup-0" });
    screen.stop();
    await vi.waitFor(() =>
      expect(calls).toEqual([
        ["DELETE", "stage-1-followup-0"],
        ["PATCH", { id: "stage-1-followup-1", followup_order: 0 }],
        "undo offered: stage-1-followup-0",
      ]),
    );
  });
});

describe("groups", () => {
  it("follow the stages' order, and what has no stage any more stands last", async () => {
    const { screen, isReady } = startFollowups([
      followupAt(0, null),
      followupAt(1, "stage-2"),
      followupAt(0, "stage-2"),
      followupAt(0, "a stage that was deleted"),
      followupAt(0, "stage-1"),
    ]);
    await isReady();
    const { rows, stages } = screen.getSnapshot().context;
    expect(groupsOf(rows, stages).map((group) => [group.name, group.rows.map((row) => row.id)])).toEqual([
      ["Initial Contact", ["stage-1-followup-0"]],
      ["Interested", ["stage-2-followup-0", "stage-2-followup-1"]],
      ["Unassigned", ["none-followup-0", "a stage that was deleted-followup-0"]],
    ]);
  });
});
