import { MEDIA_MAX_BYTES } from "../../domain/limits.ts";
import { createFollowups } from "../../src/machines/followups/followups.machine.ts";
import { followupAt, picture } from "../support/followups.ts";
import { twoStages } from "../support/leads.ts";
import { done, failedWrites, offline } from "../support/model-events.ts";
import { fakePage } from "../support/page.ts";
import { type WalkedModel, overPending } from "../support/walk-model.ts";

const unused = () => Promise.reject(new Error("the walk answers this call"));

export const followupsMachine = createFollowups(fakePage(), {
  followups: { list: unused, add: unused, change: unused, setOrder: unused, remove: unused },
  undoing: { offer: () => {}, onRestored: () => () => {} },
});

const stale = Object.assign(new Error("stale"), {
  status: 409,
  body: { code: "stale", message: "Changed elsewhere." },
});
const changed = { ...followupAt(0), message: "Hello there" };
const tooLarge = picture(MEDIA_MAX_BYTES + 1);
const complete = { stageId: "stage-1", message: "Still interested?", order: "" };

export const followupsModel: WalkedModel = {
  events: [
    { type: "followup.change", id: "stage-1-followup-0", change: { message: "Hi again" } },
    {
      type: "edits.restore",
      edits: [
        {
          id: "stage-1-followup-0",
          message: "Hi again",
          delay: "24",
          saved: { message: "Message 1", delay: "24" },
        },
      ],
    },
    { type: "followup.delete", id: "stage-1-followup-0" },
    { type: "group.save", stageId: "stage-1" },
    { type: "form.change", change: complete },
    { type: "form.change", change: { ...complete, order: "1" } },
    { type: "media.choose", media: picture(10) },
    { type: "media.choose", media: tooLarge },
    {
      type: "xstate.done.actor.fetchBoard",
      output: { followups: [followupAt(0), followupAt(1)], stages: twoStages },
    },
    ...done(
      "saveChanges",
      { savedIds: ["stage-1-followup-0"], failure: null },
      { savedIds: [], failure: offline },
      { savedIds: [], failure: stale },
    ),
    {
      type: "xstate.done.actor.fetchCurrent",
      output: { followups: [followupAt(0), followupAt(1)], stages: twoStages },
    },
    ...done(
      "fetchCurrent",
      { followups: [changed, followupAt(1)], stages: twoStages },
      { followups: [followupAt(1)], stages: twoStages },
    ),
    { type: "followup.choose", id: "stage-1-followup-0", version: "mine" },
    { type: "followup.choose", id: "stage-1-followup-0", version: "saved" },
    ...failedWrites("saveChanges"),
    ...failedWrites("deleteFollowup"),
    { type: "followup.restored", followup: followupAt(0) },
    ...done("addFollowup", followupAt(2)),
    ...failedWrites("addFollowup"),
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
  // For the walk through the screen: the form over a list at rest, the list beside an empty form. The chart is walked in pairs too.
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
    if (type === "reading.refresh") return isListUntouched && form.message === "";
    return isOfForm
      ? isListUntouched
      : snapshot.matches({ form: "awaitingFollowup" }) && form.message === "" && snapshot.context.formRefusal === null;
  },
  provide: overPending(followupsMachine),
};
