import { createPalette } from "../../src/machines/palette/palette.machine.ts";
import { done } from "../support/model-events.ts";
import { fakePage } from "../support/page.ts";
import { type WalkedModel, overPending } from "../support/walk-model.ts";
import { leadNumber } from "./board.model.ts";

const person = leadNumber(1, "s1", { name: "Ann Lee" });
const other = leadNumber(2, "s1", { name: "Hannah" });

export const paletteMachine = createPalette(fakePage(), { listLeads: async () => ({ leads: [], total: 0 }) });

export const paletteModel: WalkedModel = {
  events: [
    { type: "query.change", query: "ann" },
    { type: "query.change", query: "ann " },
    ...done("findPeople", { query: "", people: [other] }, { query: "ann", people: [person] }),
  ],
  project: ({ value, context }) => [value, context.query, context.found?.query ?? null, context.known.length],
  // A response belongs to the current query.
  allow: ({ context }, { type, output }) =>
    type !== "xstate.done.actor.findPeople" || (output as { query: string }).query === context.query.trim(),
  provide: overPending(paletteMachine),
};
