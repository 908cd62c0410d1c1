import { STEPS, type Step, type Steps, createChecklist } from "../../src/machines/checklist/checklist.machine.ts";
import { done, failed, modelOf, offline, refusedWith } from "../support/model.ts";
import { fakePage } from "../support/page.ts";

const refused = refusedWith(422, { code: "invalid_input", message: "No." });

export const stepsOf = (...done: Step[]): Steps =>
  Object.fromEntries(STEPS.map((step) => [step, done.includes(step)])) as Steps;

export const checklistModel = modelOf(createChecklist(fakePage()), {
  events: [
    ...done("readSteps", null, stepsOf(), stepsOf("connect", "stages"), stepsOf(...STEPS)),
    ...failed("addStages", offline, refused),
    ...failed("dismiss", refused),
  ],
  unreported: ["complete"],
});
