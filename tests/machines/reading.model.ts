import { readingMachine } from "../../src/machines/reading/index.ts";
import { done, failed } from "../support/model-events.ts";
import { type WalkedModel, overPending } from "../support/walk-model.ts";

export const readingModel: WalkedModel = {
  input: { what: "the number of stages" },
  provide: overPending(readingMachine),
  events: [...done("read", 5), ...failed("read", new Error("503"))],
};
