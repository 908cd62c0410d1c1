import { HttpError } from "../../src/services/http.ts";
import { createStages } from "../../src/machines/stages/stages.machine.ts";
import { twoStages } from "../support/leads.ts";
import { done, failed, modelOf, offline } from "../support/model.ts";
import { fakePage } from "../support/page.ts";

const refused = new HttpError(409, { code: "stage_holds_leads", message: "Move its 3 leads first." });
const stale = new HttpError(409, { code: "stale", message: "Changed elsewhere.", current: [] });
const [first, ...others] = twoStages;

export const stagesModel = modelOf(createStages(fakePage()), {
  unreported: ["askConfirmation", "showAlert"],
  events: [
    {
      type: "edits.restore",
      rows: [
        { ...twoStages[0], key: "stage-1", name: "Hello", keywords: "hello", saved: twoStages[0] },
        { key: "new-1", id: null, name: "Won", keywords: "won", color: "#999999", order: 3, saved: null },
      ],
    },
    { type: "row.change", key: "stage-1", change: { name: "" } },
    { type: "row.change", key: "stage-1", change: { name: "Hello" } },
    { type: "row.choose", key: "stage-1", version: "mine" },
    { type: "row.choose", key: "stage-1", version: "saved" },
    { type: "row.move", key: "stage-2", step: -1 },
    { type: "row.delete", id: "stage-2" },
    ...done("fetchStages", twoStages, []),
    ...done(
      "saveStages",
      { saved: ["stage-1", "new-1"].map((key) => ({ key, id: key })), failure: null },
      { saved: [], failure: refused },
      { saved: [], failure: stale },
    ),
    ...failed("saveStages", refused),
    ...done(
      "fetchCurrent",
      twoStages,
      [{ ...first, name: "Elsewhere" }, ...others],
      [{ ...first, name: null }, ...others],
    ),
    ...done("askConfirmation", true, false),
    ...failed("deleteStage", refused, offline),
    ...done("renumberStages", twoStages.slice(0, 1)),
  ],
  // The name of a new row is empty, which the same rule refuses as a cleared name.
  project: ({ value, context }) => [
    value,
    context.rows.some((row: { name: string }) => row.name === ""),
    context.rows.some((row: { name: string }) => row.name === "Hello"),
    context.rows.some((row: { conflict?: string }) => row.conflict !== undefined),
    Math.min(context.rows.length, 2),
  ],
});
