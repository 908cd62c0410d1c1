import { STEPS, type Step, type Steps, checklistMachine } from "../../src/machines/checklist/index.ts";
import { type WalkedModel, overPending } from "../support/walk-model.ts";

const offline = new Error("offline");
const refused = Object.assign(new Error("refused"), { status: 422, body: { code: "invalid_input", message: "No." } });

export const stepsOf = (...done: Step[]): Steps =>
  Object.fromEntries(STEPS.map((step) => [step, done.includes(step)])) as Steps;

export const checklistModel: WalkedModel = {
  events: [
    { type: "xstate.done.actor.readSteps", output: null },
    { type: "xstate.done.actor.readSteps", output: stepsOf() },
    { type: "xstate.done.actor.readSteps", output: stepsOf("connect", "stages") },
    { type: "xstate.done.actor.readSteps", output: stepsOf(...STEPS) },
    { type: "xstate.error.actor.readSteps", error: offline },
    { type: "xstate.done.actor.addStages" },
    { type: "xstate.error.actor.addStages", error: offline },
    { type: "xstate.error.actor.addStages", error: refused },
    { type: "xstate.done.actor.dismiss" },
    { type: "xstate.error.actor.dismiss", error: refused },
    { type: "xstate.done.actor.complete" },
    { type: "xstate.error.actor.complete", error: offline },
  ],
  allow: (_, { type }) => !/actor\.watch/.test(type),
  unreported: ["complete"],
  provide: overPending(checklistMachine),
};
