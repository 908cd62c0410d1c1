import { createContacts } from "../../src/machines/contacts/contacts.machine.ts";
import { fakePage } from "../support/page.ts";
import { done, failedWrites } from "../support/model-events.ts";
import { type WalkedModel, overPending } from "../support/walk-model.ts";

export const contactsMachine = createContacts(fakePage());

export const contactsModel: WalkedModel = {
  events: [
    ...done("readContacts", true, false),
    ...done("askConfirmation", true, false),
    ...done("saveContacts", true),
    ...failedWrites("saveContacts"),
  ],
  provide: overPending(contactsMachine),
};
