import { STEPS, type Step, type Steps, checklistMachine } from "../../src/machines/checklist/index.ts";
import { done, failed, offline } from "../support/model-events.ts";
import { type WalkedModel, overPending } from "../support/walk-model.ts";

const refused = Object.assign(new Error("refused"), { status: 422, body: { code: "invalid_input", message: "No." } });

export const stepsOf = (...done: Step[]): Steps =>
  Object.fromEntries(STEPS.map((step) => [step, done.includes(step)])) as Steps;

export const checklistModel: WalkedModel = {
  events: [
    ...done("readSteps", null, stepsOf(), stepsOf("connect", "stages"), stepsOf(...STEPS)),
    ...failed("readSteps"),
    ...done("addStages"),
    ...failed("addStages", offline, refused),
    ...done("dismiss"),
    ...failed("dismiss", refused),
    ...done("complete"),
    ...failed("complete"),
  ],
  unreported: ["complete"],
  provide: overPending(checklistMachine),
};
