import { expect, it } from "vitest";
import { createContacts } from "../../src/machines/contacts/contacts.machine.ts";
import {
  confirmationInvariant,
  failsWith,
  refreshableLoadInvariants,
  isCalling,
  isUnchanged,
  refreshableInvariants,
  unchecked,
  walkEveryPath,
} from "../support/invariants.ts";
import { fakePage, openJourney, returnToPage } from "../support/page.ts";
import { contactsModel } from "./contacts.model.ts";

const QUESTION =
  "Leave your Telegram contacts out?\n\nFrom now on nothing that your contacts write is stored, and none of them becomes a lead. Contacts who " +
  "are leads already stay leads, with their conversations.\n\nYou can take them in again at any time, but what they wrote meanwhile does not come by itself.";

walkEveryPath(contactsModel, {
  ...refreshableLoadInvariants("", "readContacts"),
  known: { accepts: ["contacts.switch"] },
  ...refreshableInvariants("known.", "readContacts", null),
  "known.current": {
    accepts: ["reading.refresh"],
    after: {
      "done readContacts": ({ context, before, event }) =>
        expect(context).toEqual({
          areLeftOut: event.output,
          problem: event.output === before.areLeftOut ? before.problem : null,
        }),
      "done saveContacts": ({ context, effects, event }) => {
        expect(context.areLeftOut).toEqual(event.output);
        expect(effects).toEqual({ announce: event.output });
      },
    },
  },
  "known.refreshing": {
    accepts: ["reading.refresh"],
    after: {
      ...unchecked("reading.refresh", "reading.retry"),
      "done askConfirmation": ({ context, before, event }) => expect([event.output, context]).toEqual([false, before]),
      "error askConfirmation": isUnchanged,
      "error saveContacts": failsWith("It may have been saved."),
    },
    holds: isCalling("readContacts"),
  },
  awaitingConfirmation: confirmationInvariant(QUESTION, {
    "contacts.switch": ({ context }) => expect(context.areLeftOut).toEqual(false),
  }),
  saving: {
    after: {
      "contacts.switch": ({ context }) => expect(context.areLeftOut).toEqual(true),
      "done askConfirmation": ({ context, event }) => expect([context.areLeftOut, event.output]).toEqual([false, true]),
    },
    holds: ({ context, calls }) => isCalling("saveContacts", { areLeftOut: !context.areLeftOut })({ calls }),
  },
});

it("leaves contacts out after a confirmation, and includes them without one", async () => {
  const page = fakePage();
  const saved: boolean[] = [];
  let held = false;
  const logic = createContacts(page, {
    readContacts: async () => held,
    async saveContacts({ areLeftOut }) {
      saved.push(areLeftOut);
      held = areLeftOut;
      return held;
    },
  });
  const { go, context } = await openJourney(logic);
  await go({ type: "contacts.switch" });
  expect(context().areLeftOut).toEqual(true);
  await go({ type: "contacts.switch" });
  expect([saved, page.notices]).toEqual([
    [true, false],
    [
      ["question", QUESTION],
      "Your contacts are left out from now on.",
      "Your contacts become leads again when they write.",
    ],
  ]);
  held = true;
  await returnToPage();
  expect(context().areLeftOut).toEqual(true);
});
