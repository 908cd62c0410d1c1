import { createReporter } from "../kit/reporting.ts";
import { type FollowupsDeps, createFollowupsActors } from "./followups.actors.ts";
import { followupsMachine } from "./followups.machine.ts";

/** Follow-ups over a gateway; what fails is logged, what succeeds is told in a toast. */
export const createFollowups = (deps: FollowupsDeps) =>
  followupsMachine.provide({
    actors: createFollowupsActors(deps),
    actions: {
      showToast: (_, { message }) => deps.notifier.toast(message),
      reportFailure: createReporter(deps.logger),
    },
  });

export type { FollowupsDeps, FollowupsGateway } from "./followups.actors.ts";
export { FollowupsProvider, useCanFollowups, useFollowups, useFollowupsEvents } from "./followups.context.tsx";
export { draftAfter, editsOfDraft } from "./followups.draft.ts";
export { type FollowupGroup, groupsOf, stagesWithoutFollowups } from "./followups.groups.ts";
export { followupsMachine } from "./followups.machine.ts";
export {
  BLANK_FORM as BLANK_FOLLOWUP,
  type FollowupRow,
  delayInDays,
  delayProblem,
  lengthOfRow,
  wrongIn,
} from "./followups.rows.ts";
export * from "./followups.selectors.ts";
