import { describe, expect, it } from "vitest";
import { english } from "../support/english.ts";
import type { Followup } from "../../domain/followup.ts";
import { NO_EDITS, editsDraft } from "../../src/machines/followups/followups.draft.ts";
import {
  BLANK_FORM,
  type FollowupEdit,
  groupsOf,
  newFollowupOf,
  rowsOf,
  withoutRow,
  wrongIn,
} from "../../src/machines/followups/followups.rows.ts";
import { createFollowups, selectDraft, selectGroupState } from "../../src/machines/followups/followups.machine.ts";
import type { createFollowupsGateway } from "../../src/services/followups.ts";
import { HttpError } from "../../src/services/http.ts";
import { followupAt } from "../support/followups.ts";
import { openJourney, recordingPage, returnToPage, settle } from "../support/page.ts";
import { twoStages } from "../support/leads.ts";
import { failureText } from "../support/model.ts";
import {
  type ContextOf,
  refreshableLoadInvariants,
  isCalling,
  refreshableInvariants,
  unchecked,
  walkEveryPath,
} from "../support/invariants.ts";
import { followupsModel } from "./followups.model.ts";

type Context = ContextOf<typeof followupsModel>;
const FIRST = "stage-1-followup-0";
const TAKEN = "This stage already has a follow-up with that order.";
const LIST_EDITS = ["followup.change", "followup.restored"];
const isFirst = ({ id }: { id: string }) => id === FIRST;
const isEdited = ({ message, saved }: Context["rows"][number]) => message !== saved.message;

walkEveryPath(followupsModel, {
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
  ...refreshableLoadInvariants("list.", "fetchBoard", { keeps: LIST_EDITS }),
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
  ...refreshableInvariants("list.ready.", "fetchBoard", null, {
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
  // A transient state: a merge is saved at once, or the user is asked.
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
    holds: ({ context }) => expect(context.form.media?.size ?? 0).toBeLessThanOrEqual(10_485_760),
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

const stored = [followupAt(0), followupAt(1), followupAt(0, "stage-2")];

async function startFollowups(
  known: readonly Followup[] = stored,
  gateway: Partial<ReturnType<typeof createFollowupsGateway>> = {},
) {
  const calls: unknown[] = [];
  const page = recordingPage(calls);
  const logic = createFollowups(page, {
    followups: {
      list: async () => [...known],
      add: async (followup) => followupAt(followup.followup_order, followup.stage_id),
      change: async (change) => void calls.push(["PATCH", change]),
      setOrder: async (change) => void calls.push(["PATCH", change]),
      remove: async ({ id }) => void calls.push(["DELETE", id]),
      ...gateway,
    },
    undoing: { offer: (id) => calls.push(`undo offered: ${id}`), onRestored: () => () => {} },
    stages: { list: async () => twoStages },
  });
  const journey = await openJourney(logic);
  const draft = () => editsDraft(page.drafts).read()?.edits ?? [];
  return {
    ...journey,
    calls,
    rows: () => journey.context().rows.map(({ message, delay }) => `${message} after ${delay}`),
    groupState: (stageId: string) => selectGroupState(stageId)(journey.snapshot()),
    keepDraft() {
      editsDraft(page.drafts).write({ edits: selectDraft(journey.snapshot()) ?? "" }, NO_EDITS);
      return draft();
    },
    draft,
  };
}
const edit = (id: string, change: FollowupEdit) => ({ type: "followup.change", id, change }) as const;
const save = { type: "group.save", stageId: "stage-1" } as const;

describe("a return to the page", () => {
  it("restores edits after a reload, without those saved in the meantime", async () => {
    const before = await startFollowups();
    await before.go(edit(FIRST, { message: "Hi again" }), edit("stage-1-followup-1", { delay: "7" }));
    const edits = before.keepDraft();
    const { go, rows } = await startFollowups();
    await go({ type: "edits.restore", edits });
    expect(rows().slice(0, 2)).toEqual(["Hi again after 24", "Message 2 after 7"]);
    await before.leave(save);
    expect(before.draft()).toEqual([]);
  });

  it("keeps the edited text of a deleted follow-up in the form", async () => {
    const known = [...stored];
    const { go, context } = await startFollowups(known);
    await go(edit(FIRST, { message: "Mine" }));
    known.shift();
    await returnToPage();
    const { rows, form, formRefusal } = context();
    expect([rows.length, form]).toMatchObject([2, { stageId: "stage-1", message: "Mine", delay: "24" }]);
    expect(english(formRefusal ?? "")).toContain("deleted elsewhere");
  });
});

describe("a new follow-up", () => {
  const fill = { ...BLANK_FORM, stageId: "stage-1", message: "Still there?", delay: "48" };

  it.each([
    ["nothing typed", ""],
    ["below the first", "0"],
    ["beyond the next", "4"],
    ["the next", "3"],
  ])("with %s as its order comes last, counted from zero", (_case, order) => {
    expect(newFollowupOf({ ...fill, order }, rowsOf(stored, twoStages))).toEqual({
      stage_id: "stage-1",
      message: "Still there?",
      followup_order: 2,
      delay_hours: 48,
      media: null,
    });
  });

  it("is listed once when a refresh returns it before its own response", async () => {
    const known = [...stored];
    const answer = Promise.withResolvers<Followup>();
    const { go, context } = await startFollowups(known, { add: () => answer.promise });
    await go({ type: "form.change", change: fill }, { type: "form.submit" });
    const added = followupAt(2);
    known.push(added);
    await returnToPage();
    answer.resolve(added);
    await settle();
    expect(context().rows.filter(({ id }) => id === added.id)).toHaveLength(1);
  });

  it("marks each missing or refused field until it is changed", async () => {
    const message = "May have 4096 characters at most.";
    const { go, context } = await startFollowups([followupAt(0)], {
      add: () => Promise.reject(new HttpError(422, { message, code: "invalid_input", fields: { message } })),
    });
    const marks = () => context().marks;
    await go({ type: "form.change", change: { stageId: "deleted meanwhile", delay: " " } }, { type: "form.submit" });
    expect(marks()).toEqual({
      stageId: "Choose a stage.",
      message: "Write the message.",
      delay: "Write the delay: whole hours from 1 to 168.",
    });
    await go({ type: "form.change", change: { stageId: "stage-1", delay: "24" } });
    expect(marks()).toEqual({ message: "Write the message." });
    await go({ type: "form.change", change: { message: "Hi", order: "1" } }, { type: "form.submit" });
    expect(marks()).toEqual({ order: TAKEN });
    await go({ type: "form.change", change: { stageId: "stage-2" } });
    expect(marks()).toEqual({});
    await go({ type: "form.submit" });
    expect([marks(), context().formRefusal]).toEqual([{ message }, null]);
  });

  it.each([
    ["text", { message: "x".repeat(4_097) }, { message: expect.stringMatching(/^Too long: .*Take 1 away\.$/) }],
    [
      "file",
      { media: new File(["x"], "notes.txt", { type: "text/plain" }) },
      { media: expect.stringContaining("notes.txt") },
    ],
    ["delay", { delay: "169" }, { delay: "Whole hours from 1 to 168." }],
  ])("stays in the form when its %s is invalid", async (_, change, expected) => {
    const { go, snapshot, context } = await startFollowups();
    await go({ type: "form.change", change: { ...fill, ...change } }, { type: "form.submit" });
    const { form } = context();
    expect([snapshot().matches({ form: "awaitingFollowup" }), form]).toMatchObject([true, change]);
    const marks = Object.entries(wrongIn(form)).map(([field, text]) => [field, english(text)]);
    expect(Object.fromEntries(marks)).toEqual(expected);
  });
});

describe("saving a group", () => {
  it("sends only its edited follow-ups, with hours as a whole number", async () => {
    const { go, calls, groupState } = await startFollowups();
    await go(
      edit("stage-1-followup-1", { message: "Hi", delay: "012" }),
      edit("stage-2-followup-0", { message: "Not now" }),
      save,
    );
    expect(calls).toEqual([
      ["PATCH", { id: "stage-1-followup-1", message: "Hi", delay_hours: 12 }],
      "toast: Follow-up edited successfully.",
    ]);
    expect([groupState("stage-1"), groupState("stage-2")]).toEqual(["saved", "edited"]);
  });

  it("asks which version to keep when another tab changed the same field", async () => {
    const known = [...stored];
    let isStale = true;
    const sent: unknown[] = [];
    const { go, rows, context, keepDraft } = await startFollowups(known, {
      change: async (change) => {
        if (isStale) throw new HttpError(409, { code: "stale", message: "Changed elsewhere." });
        sent.push(change);
      },
    });
    known.splice(0, 2, followupAt(0, "stage-1", { message: "Theirs" }), followupAt(1, "stage-1", { message: "New" }));
    await go(edit(FIRST, { message: "Mine" }), edit("stage-1-followup-1", { delay: "12" }), save);
    const { rows: merged, refusal } = context();
    expect(merged[0]).toMatchObject({ message: "Mine", isConflict: true, saved: { message: "Theirs" } });
    expect(english(refusal?.message ?? "")).toContain("Choose which version to keep");
    expect(keepDraft()[0]).toMatchObject({ isConflict: true });
    isStale = false;
    await go(save);
    expect(sent).toEqual([]);
    await go({ type: "followup.choose", id: FIRST, version: "saved" }, save);
    expect(sent).toEqual([{ id: "stage-1-followup-1", message: "New", delay_hours: 12 }]);
    expect(rows().slice(0, 2)).toEqual(["Theirs after 24", "New after 12"]);
  });

  it.each(["", "0", "169", "1.5"])("is blocked while a delay is %j", async (delay) => {
    const { go, snapshot } = await startFollowups();
    await go(edit(FIRST, { delay }));
    expect(snapshot().can(save)).toEqual(false);
  });

  it("keeps failed changes unsaved and logs the failure", async () => {
    let reads = 0;
    const { go, calls, context } = await startFollowups(stored, {
      list: async () => (reads++ === 0 ? stored : new Promise<never>(() => {})),
      change: async ({ id }) => {
        if (id === "stage-1-followup-1") throw new Error("offline");
      },
    });
    await go(edit(FIRST, { message: "Hi" }), edit("stage-1-followup-1", { message: "Hi" }), save);
    expect(calls).toEqual(["log: follow-ups were not saved"]);
    expect(context().rows.map((row) => row.saved.message)).toEqual(["Hi", "Message 2", "Message 1"]);
  });
});

const id = "stage-1-followup-1";
const known = [followupAt(0), followupAt(1), followupAt(2), followupAt(1, "stage-2")];

it("numbers a stage's steps from 0 after a deletion, also when the user leaves", async () => {
  const { leave, calls } = await startFollowups(known);
  await leave({ type: "followup.delete", id });
  expect(calls).toEqual([
    ["DELETE", id],
    ["PATCH", { id: "stage-1-followup-2", followup_order: 1 }],
    `undo offered: ${id}`,
  ]);
  expect(withoutRow(rowsOf(known, twoStages), id).map((row) => [row.id, row.order])).toEqual([
    [FIRST, 0],
    ["stage-1-followup-2", 1],
    ["stage-2-followup-1", 1],
  ]);
});

it("orders groups like the stages, with unassigned ones last", () => {
  const rows = rowsOf(
    [
      followupAt(0, null),
      followupAt(1, "stage-2"),
      followupAt(0, "stage-2"),
      followupAt(0, "a stage that was deleted"),
      followupAt(0, "stage-1"),
    ],
    twoStages,
  );
  expect(groupsOf(rows, twoStages).map((group) => [group.name, group.rows.map((row) => row.id)])).toEqual([
    ["Initial Contact", [FIRST]],
    ["Interested", ["stage-2-followup-0", "stage-2-followup-1"]],
    ["Unassigned", ["none-followup-0", "a stage that was deleted-followup-0"]],
  ]);
});
