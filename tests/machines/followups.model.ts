import type { Followup } from "../../domain/followup.ts";
import { MEDIA_MAX_BYTES } from "../../domain/limits.ts";
import { createFollowups } from "../../src/machines/followups/followups.machine.ts";
import { followupAt, picture } from "../support/followups.ts";
import { twoStages } from "../support/leads.ts";
import { done, failedWrites, modelOf, notCalled, offline, refusedWith } from "../support/model.ts";
import { fakePage } from "../support/page.ts";

const followupsMachine = createFollowups(fakePage(), {
  followups: { list: notCalled, add: notCalled, change: notCalled, setOrder: notCalled, remove: notCalled },
  undoing: { offer: () => {}, onRestored: () => () => {} },
});

const stale = refusedWith(409, { code: "stale", message: "Changed elsewhere." });
const board = (...followups: Followup[]) => ({ followups, stages: twoStages });
const current = board(followupAt(0), followupAt(1));
const changed = { ...followupAt(0), message: "Hello there" };
const typed = { id: "stage-1-followup-0", message: "Hi again", delay: "24" };
const complete = { stageId: "stage-1", message: "Still interested?", order: "" };

export const followupsModel = modelOf(followupsMachine, {
  events: [
    { type: "followup.change", id: "stage-1-followup-0", change: { message: "Hi again" } },
    { type: "edits.restore", edits: [{ ...typed, saved: { message: "Message 1", delay: "24" } }] },
    { type: "followup.delete", id: "stage-1-followup-0" },
    { type: "group.save", stageId: "stage-1" },
    { type: "form.change", change: complete },
    { type: "form.change", change: { ...complete, order: "1" } },
    { type: "media.choose", media: picture(MEDIA_MAX_BYTES) },
    { type: "media.choose", media: picture(MEDIA_MAX_BYTES + 1) },
    ...done("fetchBoard", current),
    ...done(
      "saveChanges",
      { savedIds: ["stage-1-followup-0"], failure: null },
      { savedIds: [], failure: offline },
      { savedIds: [], failure: stale },
    ),
    ...done("fetchCurrent", current, board(changed, followupAt(1)), board(followupAt(1))),
    { type: "followup.choose", id: "stage-1-followup-0", version: "mine" },
    { type: "followup.choose", id: "stage-1-followup-0", version: "saved" },
    ...failedWrites("saveChanges", "deleteFollowup", "addFollowup"),
    { type: "followup.restored", followup: followupAt(0) },
    ...done("addFollowup", followupAt(2)),
  ],
  project: ({ value, context }) => [
    value,
    context.rows.some((row: { message: string }) => row.message === "Hi again"),
    context.rows.some((row: { isConflict?: boolean }) => row.isConflict),
    Math.min(context.rows.length, 2),
    context.form.order,
    context.form.message,
    context.refusal?.message ?? null,
    context.formRefusal,
    Object.keys(context.marks),
  ],
  // For the walk of the screen: the form over an idle list, and the list beside an empty form. The chart's own walk also takes pairs.
  allow: (snapshot, { type }) => {
    if (type === "followup.restored")
      return (
        snapshot.context.rows.length === 1 ||
        snapshot.matches({ list: "loading" }) ||
        snapshot.matches({ list: { ready: "refreshing" } })
      );
    const { form, rows } = snapshot.context;
    if (!snapshot.matches({ list: { ready: "current" } }) && snapshot.matches({ list: "ready" }))
      return /fetchBoard|^reading|restored/.test(type);
    const isOfForm = /^form|^media|addFollowup|showAlert/.test(type);
    const isListUntouched =
      snapshot.matches({ list: { ready: "current" } }) &&
      rows[0]?.message === "Message 1" &&
      rows.length === 2 &&
      snapshot.context.refusal === null;
    const isFirstLoad = snapshot.matches({ list: "loading" }) || snapshot.matches({ list: "loadFailed" });
    if (type === "reading.refresh") return (isListUntouched || isFirstLoad) && form.message === "";
    return isOfForm
      ? isListUntouched
      : snapshot.matches({ form: "awaitingFollowup" }) && form.message === "" && snapshot.context.formRefusal === null;
  },
});
