import { createContacts } from "../../src/machines/contacts/contacts.machine.ts";
import { fakePage } from "../support/page.ts";
import { done, failedWrites, modelOf } from "../support/model.ts";

export const contactsModel = modelOf(createContacts(fakePage()), {
  events: [
    ...done("readContacts", true, false),
    ...done("askConfirmation", true, false),
    ...done("saveContacts", true),
    ...failedWrites("saveContacts"),
  ],
});
