import { createReporter } from "../kit/reporting.ts";
import { type LeadImportDeps, createLeadImportActors } from "./lead-import.actors.ts";
import { leadImportMachine } from "./lead-import.machine.ts";

/** A file of leads going in, over a gateway. */
export const createLeadImport = (deps: LeadImportDeps) =>
  leadImportMachine.provide({
    actors: createLeadImportActors(deps),
    actions: { tellOthers: deps.onImported, reportFailure: createReporter(deps.logger) },
  });

export { previewOf } from "./csv-preview.ts";
export type { ImportRequest, ImportResult, LeadImportDeps } from "./lead-import.actors.ts";
export * from "./lead-import.context.tsx";
export { leadImportMachine } from "./lead-import.machine.ts";
