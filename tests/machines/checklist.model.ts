import { STEPS, type Step, type Steps, createChecklist } from "../../src/machines/checklist/checklist.machine.ts";
import { done, failed, offline, refusedWith } from "../support/model-events.ts";
import { fakePage } from "../support/page.ts";
import { type WalkedModel, overPending } from "../support/walk-model.ts";

export const checklistMachine = createChecklist(fakePage());

const refused = refusedWith(422, { code: "invalid_input", message: "No." });

export const stepsOf = (...done: Step[]): Steps =>
  Object.fromEntries(STEPS.map((step) => [step, done.includes(step)])) as Steps;

export const checklistModel: WalkedModel = {
  events: [
    ...done("readSteps", null, stepsOf(), stepsOf("connect", "stages"), stepsOf(...STEPS)),
    ...failed("addStages", offline, refused),
    ...failed("dismiss", refused),
  ],
  unreported: ["complete"],
  provide: overPending(checklistMachine),
};
