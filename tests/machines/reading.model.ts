import { createReading } from "../../src/machines/reading/reading.machine.ts";
import { done, modelOf } from "../support/model.ts";
import { fakePage } from "../support/page.ts";

const readingMachine = createReading({ ...fakePage(), read: async () => 5, what: "the number of stages" });

export const readingModel = modelOf(readingMachine, {
  events: done("read", 5),
});
