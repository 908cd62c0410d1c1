import { createReporter } from "../kit/reporting.ts";
import { type ArchiveDeps, createArchiveActors } from "./archive.actors.ts";
import { archiveMachine } from "./archive.machine.ts";

/** The account as a file over a gateway. */
export const createArchive = (deps: ArchiveDeps) =>
  archiveMachine.provide({
    actors: createArchiveActors(deps),
    actions: {
      saveArchive: (_args, { file }) => deps.saveFile(file, "leadloom-export.zip"),
      reportFailure: createReporter(deps.logger),
    },
  });

export type { ArchiveDeps, ArchiveGateway } from "./archive.actors.ts";
export { ArchiveProvider, useArchive, useArchiveEvents, useCanArchive } from "./archive.context.tsx";
export { archiveMachine } from "./archive.machine.ts";
export * from "./archive.selectors.ts";
