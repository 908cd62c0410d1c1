import { createPalette } from "../../src/machines/palette/palette.machine.ts";
import { done, modelOf } from "../support/model.ts";
import { fakePage } from "../support/page.ts";
import { leadNumber } from "./board.model.ts";

const person = leadNumber(1, "s1", { name: "Ann Lee" });
const other = leadNumber(2, "s1", { name: "Hannah" });

const paletteMachine = createPalette(fakePage(), { listLeads: async () => ({ leads: [], total: 0 }) });

export const paletteModel = modelOf(paletteMachine, {
  events: [
    { type: "query.change", query: "ann" },
    { type: "query.change", query: "ann " },
    ...done("findPeople", { query: "", people: [other] }, { query: "ann", people: [person] }),
  ],
  // A response belongs to the current query.
  allow: ({ context }, { type, output }) =>
    type !== "xstate.done.actor.findPeople" || (output as { query: string }).query === context.query.trim(),
});
