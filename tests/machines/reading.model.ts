import { createReading } from "../../src/machines/reading/reading.machine.ts";
import { done, failed } from "../support/model-events.ts";
import { fakePage } from "../support/page.ts";
import { type WalkedModel, overPending } from "../support/walk-model.ts";

export const readingMachine = createReading({ ...fakePage(), read: async () => 5, what: "the number of stages" });

export const readingModel: WalkedModel = {
  provide: overPending(readingMachine),
  events: [...done("read", 5), ...failed("read", new Error("503"))],
};
