import { createReporter } from "../kit/reporting.ts";
import { type ContactsDeps, createContactsActors, newsOf } from "./contacts.actors.ts";
import { contactsMachine } from "./contacts.machine.ts";

/** Whether contacts become leads, over a gateway. */
export const createContacts = (deps: ContactsDeps) =>
  contactsMachine.provide({
    actors: createContactsActors(deps),
    actions: {
      announce: (_, { areLeftOut }) => deps.notifier.toast(newsOf(areLeftOut)),
      reportFailure: createReporter(deps.logger),
    },
  });

export type { ContactsDeps } from "./contacts.actors.ts";
export * from "./contacts.context.tsx";
export { contactsMachine } from "./contacts.machine.ts";
