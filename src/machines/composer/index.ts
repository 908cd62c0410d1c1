import { createReporter } from "../kit/reporting.ts";
import { type ComposerDeps, createComposerActors } from "./composer.actors.ts";
import { composerMachine } from "./composer.machine.ts";

/** A lead's reply box over its outside parts. */
export const createComposer = (deps: ComposerDeps) =>
  composerMachine.provide({
    actors: createComposerActors(deps),
    actions: {
      keep: (_, { leadId, ...kept }) => deps.keep(leadId, kept),
      tellVerdict: (_, { leadId, verdict }) =>
        verdict.kind === "accepted"
          ? deps.tellAccepted(leadId, verdict.message)
          : deps.tellUnsent(leadId, verdict.words),
      reportFailure: createReporter(deps.logger),
    },
  });

export { type ComposerDeps, UNANSWERED } from "./composer.actors.ts";
export { ComposerProvider, useCanComposer, useComposer, useComposerEvents } from "./composer.context.tsx";
export { type ComposerRef, composerMachine } from "./composer.machine.ts";
export { type Outgoing, isSentAgain } from "./composer.outgoing.ts";
export * from "./composer.selectors.ts";
