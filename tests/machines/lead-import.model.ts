import { createLeadImport } from "../../src/machines/lead-import/lead-import.machine.ts";
import { done, failedWrites, modelOf } from "../support/model.ts";
import { fakePage } from "../support/page.ts";

export const file = new File(["username,Comment\nada,Called"], "leads.csv", { type: "text/csv" });
const preview = { header: ["username", "Comment"], rows: [["ada", "Called"]] };
const result = {
  matched: 1,
  changed: 1,
  unmatched: [{ row: 3, reason: "Nobody has this username." }],
  unmatchedTotal: 1,
  changes: [{ row: 2, name: "Ada", target: "notes", before: [], after: ["Called"] }],
};

export const leadImportModel = modelOf(createLeadImport(fakePage(), { onImported: () => {} }), {
  events: [
    { type: "file.choose", file, fields: {} },
    { type: "file.choose", file: null, fields: {} },
    { type: "mapping.change", header: "Comment", target: "notes" },
    { type: "mapping.change", header: "username", target: "" },
    ...done("readHead", preview),
    ...done("tryImport", result, { ...result, changed: 0, changes: [] }),
    ...done("runImport", result),
    ...failedWrites("runImport"),
  ],
});
