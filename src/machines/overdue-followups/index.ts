import { createReporter } from "../kit/reporting.ts";
import { type OverdueFollowupsDeps, createOverdueActors } from "./overdue-followups.actors.ts";
import { overdueFollowupsMachine } from "./overdue-followups.machine.ts";
import { plannedWords } from "./overdue-followups.words.ts";

/** Overdue follow-ups over a gateway. */
export const createOverdueFollowups = (deps: OverdueFollowupsDeps) =>
  overdueFollowupsMachine.provide({
    actors: createOverdueActors(deps),
    actions: {
      announcePlanned: (_, { planned }) => deps.notifier.toast(plannedWords(planned)),
      reportFailure: createReporter(deps.logger),
    },
  });

export type { OverdueFollowupsDeps, OverdueGateway } from "./overdue-followups.actors.ts";
export {
  OverdueFollowupsProvider,
  useCanOverdueFollowups,
  useOverdueFollowups,
  useOverdueFollowupsEvents,
} from "./overdue-followups.context.tsx";
export { overdueFollowupsMachine } from "./overdue-followups.machine.ts";
export * from "./overdue-followups.selectors.ts";
export { namesOf, waitingWords } from "./overdue-followups.words.ts";
