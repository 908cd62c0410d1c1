import { type SelectionParts, createSelection } from "../../src/machines/selection/selection.machine.ts";
import type { RememberedBatch } from "../../src/machines/selection/selection.memory.ts";
import { done, failed, modelOf, offline, refusedWith } from "../support/model.ts";
import { fakePage } from "../support/page.ts";

const never = () => new Promise<never>(() => {});
export const idleBatch: SelectionParts["batch"] = { start: never, readJob: never, cancelJob: never, undo: never };
const selectionMachine = createSelection(fakePage(), {
  batch: idleBatch,
  memory: { write: () => {}, clear: () => {} },
  onChanged: () => {},
});

const page = { ids: ["lead-1", "lead-2"], query: "", total: 812 };
const job = (status: string, undoId: string | null = null) => ({
  status,
  done: 5_000,
  total: 6_000,
  changed: 4_000,
  undoId,
});

const remembered: RememberedBatch = {
  id: "job-1",
  type: "move",
  count: 2,
  about: "Interested",
  isUndoing: false,
  isAnnounced: true,
};

export const selectionModel = modelOf(selectionMachine, {
  unreported: ["readJob", "askConfirmation"],
  events: [
    { type: "list.shown", list: page },
    { type: "list.shown", list: { ...page, total: 0, ids: [] } },
    { type: "list.shown", list: { ...page, query: "name=ada", total: 2 } },
    { type: "lead.toggle", leadId: "lead-1" },
    { type: "lead.extend", leadId: "lead-2" },
    { type: "batch.start", action: { type: "move", stage_id: "stage-1" }, about: "Initial Contact", key: "key-1" },
    { type: "batch.start", action: { type: "exclude" }, about: "", key: "key-1" },
    ...done("askConfirmation", true, false),
    ...done("startBatch", { changed: 2, undoId: "undo-1" }, { changed: 0, undoId: null }, { jobId: "job-1" }),
    ...done("readJob", job("in_progress"), job("completed", "undo-1"), job("failed")),
    ...failed("readJob", offline, refusedWith(404)),
    ...done("undoBatch", { changed: 2, undoId: null }, { jobId: "job-2" }),
    ...failed("watchJobs", new Error("no stream")),
  ],
  inputs: [{ remembered: null }, { remembered: remembered }],
  delays: { pollPause: 1_000, undoTime: 30_000 },
  project: ({ value, context }) => [
    value,
    context.ids,
    context.shown.query,
    context.shown.total,
    context.isUndoing,
    context.isAnnounced,
    context.requested?.action.type,
    context.problem !== null && context.ids.length === 0,
  ],
  // Selecting is walked while no work is pending, and the work with one lead selected; all combinations would be too many.
  allow: ({ value, context }, event) => {
    const isChoosing = /^(list|lead|page|matching|selection)\./.test(event.type);
    const { work } = value as { work: string | { resting?: string } };
    const isIdle = typeof work === "object" && work.resting === "idle";
    // Clearing an empty selection only dismisses the problem.
    if (event.type === "selection.clear" && context.ids.length === 0) return context.problem !== null;
    if (isChoosing) return isIdle && context.requested === null;
    const isOne = context.shown.total === 812 && context.ids.join() === "lead-1" && !context.isAll;
    const isNone = context.shown.total === 812 && context.ids.length === 0;
    if (event.type === "batch.start") return isOne || isNone;
    return event.type !== "xstate.error.actor.watchJobs" || isOne;
  },
});
