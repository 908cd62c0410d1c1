import { readingMachine } from "../../src/machines/reading/index.ts";
import { type WalkedModel, overPending } from "../support/walk-model.ts";

export const readingModel: WalkedModel = {
  input: { what: "the number of stages" },
  provide: overPending(readingMachine),
  events: [
    { type: "xstate.done.actor.read", output: 5 },
    { type: "xstate.error.actor.read", error: new Error("503") },
  ],
};
