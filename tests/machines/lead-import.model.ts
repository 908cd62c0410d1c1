import { leadImportMachine } from "../../src/machines/lead-import/index.ts";
import { type WalkedModel, overPending } from "../support/walk-model.ts";

export const file = new File(["username,Comment\nada,Called"], "leads.csv", { type: "text/csv" });
export const preview = { header: ["username", "Comment"], rows: [["ada", "Called"]] };
const result = {
  matched: 1,
  changed: 1,
  unmatched: [{ row: 3, words: "Nobody has this username." }],
  unmatchedTotal: 1,
  changes: [{ row: 2, name: "Ada", target: "notes", before: "", after: "Called" }],
};

export const leadImportModel: WalkedModel = {
  events: [
    { type: "file.choose", file, fields: {} },
    { type: "file.choose", file: null, fields: {} },
    { type: "mapping.change", header: "Comment", target: "notes" },
    { type: "mapping.change", header: "username", target: "" },
    { type: "xstate.done.actor.readHead", output: preview },
    { type: "xstate.error.actor.readHead", error: new Error("no header") },
    { type: "xstate.done.actor.tryImport", output: result },
    { type: "xstate.done.actor.tryImport", output: { ...result, changed: 0, changes: [] } },
    { type: "xstate.error.actor.tryImport", error: new Error("offline") },
    { type: "xstate.done.actor.runImport", output: result },
    { type: "xstate.error.actor.runImport", error: new Error("offline") },
  ],
  project: ({ value, context }) => [
    value,
    context.file !== null,
    context.mapping,
    context.result?.changed ?? null,
    context.problem !== null,
  ],
  provide: overPending(leadImportMachine),
};
