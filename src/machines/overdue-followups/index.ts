import { failureOf } from "../../../domain/problem.ts";
import { type OverdueFollowupsDeps, createOverdueActors } from "./overdue-followups.actors.ts";
import { overdueFollowupsMachine } from "./overdue-followups.machine.ts";
import { plannedWords } from "./overdue-followups.words.ts";

/** Overdue follow-ups over a gateway. A server without the call (404) is no failure worth a line in the log. */
export const createOverdueFollowups = (deps: OverdueFollowupsDeps) =>
  overdueFollowupsMachine.provide({
    actors: createOverdueActors(deps),
    actions: {
      announcePlanned: (_, { planned }) => deps.notifier.toast(plannedWords(planned)),
      reportFailure: (_, { what, error }) => {
        if (failureOf(error).status !== 404) deps.logger.warn(what, error);
      },
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
