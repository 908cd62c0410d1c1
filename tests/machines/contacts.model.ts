import { createContacts } from "../../src/machines/contacts/contacts.machine.ts";
import { fakePage } from "../support/page.ts";
import { type WalkedModel, overPending } from "../support/walk-model.ts";

export const contactsMachine = createContacts(fakePage());

const offline = new Error("offline");

export const contactsModel: WalkedModel = {
  events: [
    { type: "xstate.done.actor.readContacts", output: true },
    { type: "xstate.done.actor.readContacts", output: false },
    { type: "xstate.error.actor.readContacts", error: offline },
    { type: "xstate.done.actor.askConfirmation", output: true },
    { type: "xstate.done.actor.askConfirmation", output: false },
    { type: "xstate.error.actor.askConfirmation", error: offline },
    { type: "xstate.done.actor.saveContacts", output: true },
    { type: "xstate.error.actor.saveContacts", error: offline },
  ],
  provide: overPending(contactsMachine),
};
