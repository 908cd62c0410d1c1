import { STEPS, type Step, type Steps, createChecklist } from "../../src/machines/checklist/checklist.machine.ts";
import { done, failedWrites, modelOf } from "../support/model.ts";
import { fakePage } from "../support/page.ts";

export const stepsOf = (...done: Step[]): Steps =>
  Object.fromEntries(STEPS.map((step) => [step, done.includes(step)])) as Steps;

export const checklistModel = modelOf(createChecklist(fakePage()), {
  events: [
    ...done("readSteps", null, stepsOf(), stepsOf("connect", "stages"), stepsOf(...STEPS)),
    ...failedWrites("addStages", "dismiss"),
  ],
  unreported: ["complete"],
});
