import { createMachineContext } from "../kit/context.tsx";
import { type ContactsSnapshot, contactsMachine } from "./contacts.machine.ts";

const Contacts = createMachineContext(contactsMachine, (chart) => ({
  retry: () => chart.send({ type: "reading.retry" }),
  flip: () => chart.send({ type: "contacts.switch" }),
}));

export const ContactsProvider = Contacts.Provider;
export const useContacts = Contacts.use;
export const useCanContacts = Contacts.useCan;
/** What a person can do about their contacts. */
export const useContactsEvents = Contacts.useVerbs;

export { selectOutdated, selectUnread } from "../kit/reading.ts";
export const selectIsLoading = (chart: ContactsSnapshot) => chart.matches("loading");
export const selectProblem = (chart: ContactsSnapshot) => chart.context.problem;
/** What the switch shows: while a change is being saved, that change. */
export const selectAreLeftOut = (chart: ContactsSnapshot) => chart.context.areLeftOut !== chart.matches("saving");
