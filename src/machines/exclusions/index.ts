import { createReporter } from "../kit/reporting.ts";
import { type ExclusionsDeps, createExclusionsActors } from "./exclusions.actors.ts";
import { exclusionsMachine } from "./exclusions.machine.ts";

/** Who is not a lead, over a gateway. */
export const createExclusions = (deps: ExclusionsDeps) =>
  exclusionsMachine.provide({
    actors: createExclusionsActors(deps),
    actions: {
      tell: (_, { leadId }) =>
        deps.notifier.toast(
          leadId === null ? "Restored. The next message makes a new lead of this person." : "The lead is there again.",
        ),
      reportFailure: createReporter(deps.logger),
    },
  });

export type { ExclusionsDeps, ExclusionsGateway } from "./exclusions.actors.ts";
export * from "./exclusions.context.tsx";
export { exclusionsMachine } from "./exclusions.machine.ts";
