import { createReporter } from "../kit/reporting.ts";
import { type InboxDeps, createInboxActors } from "./inbox.actors.ts";
import { inboxMachine } from "./inbox.machine.ts";

/** The list of conversations over its outside parts. */
export const createInbox = (deps: InboxDeps) =>
  inboxMachine.provide({
    actors: createInboxActors(deps),
    actions: {
      rememberOrder: (_, { order }) => deps.rememberOrder(order),
      writeAddress: (_, place) => deps.address.write(place),
      openLead: (_, { leadId }) => deps.openLead(leadId),
      tellNobodyWaits: () => deps.notifier.toast("Nobody else waits for an answer."),
      tellNotFound: () => deps.notifier.warn("The next person waiting could not be looked up. Try again."),
      reportFailure: createReporter(deps.logger),
    },
  });

export type { InboxDeps } from "./inbox.actors.ts";
export { type InboxPlace, placeOf, searchOf } from "./inbox.address.ts";
export { InboxProvider, useCanInbox, useInbox, useInboxEvents } from "./inbox.context.tsx";
export { inboxMachine } from "./inbox.machine.ts";
export * from "./inbox.selectors.ts";
