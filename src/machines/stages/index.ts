import { createReporter } from "../kit/reporting.ts";
import { type StagesDeps, createStagesActors } from "./stages.actors.ts";
import { stagesMachine } from "./stages.machine.ts";

/** The stages table over a gateway. */
export const createStages = (deps: StagesDeps) =>
  stagesMachine.provide({
    actors: createStagesActors(deps),
    actions: { reportFailure: createReporter(deps.logger) },
  });

export type { StagesDeps, StagesGateway } from "./stages.actors.ts";
export { StagesProvider, useCanStages, useStages, useStagesEvents } from "./stages.context.tsx";
export { stagesMachine } from "./stages.machine.ts";
export { draftAfter, rowsOfDraft } from "./stages.draft.ts";
export { type StageRow, findProblem, isNameShared, savedOrder, savedWords, wordsOf } from "./stages.rows.ts";
export * from "./stages.selectors.ts";
