import { createReporter } from "../kit/reporting.ts";
import { type KeywordLabDeps, createKeywordLabActors } from "./keyword-lab.actors.ts";
import { keywordLabMachine } from "./keyword-lab.machine.ts";

/** The keyword lab over a gateway. */
export const createKeywordLab = (deps: KeywordLabDeps) =>
  keywordLabMachine.provide({
    actors: createKeywordLabActors(deps),
    actions: { reportFailure: createReporter(deps.logger) },
  });

export type { KeywordLabDeps, KeywordLabGateway } from "./keyword-lab.actors.ts";
export { KeywordLabProvider, useCanKeywordLab, useKeywordLab, useKeywordLabEvents } from "./keyword-lab.context.tsx";
export { keywordLabMachine } from "./keyword-lab.machine.ts";
export * from "./keyword-lab.selectors.ts";
