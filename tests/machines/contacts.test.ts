import { expect, it, vi } from "vitest";
import { createActor } from "xstate";
import { contactsMachine, createContacts, selectAreLeftOut } from "../../src/machines/contacts/index.ts";
import { walkEveryPath } from "../support/walk-suite.ts";
import { contactsModel } from "./contacts.model.ts";

walkEveryPath(contactsMachine, contactsModel);

function startContacts(answer: boolean, save = async ({ areLeftOut }: { areLeftOut: boolean }) => areLeftOut) {
  const told: string[] = [];
  const asked: string[] = [];
  const saved: boolean[] = [];
  let held = false;
  let comeBack = () => {};
  const logic = createContacts({
    contacts: {
      read: async () => held,
      async save(input) {
        saved.push(input.areLeftOut);
        held = await save(input);
        return held;
      },
    },
    notifier: {
      toast: (words) => told.push(words),
      warn: (words) => told.push(words),
      async confirm(words) {
        asked.push(words);
        return answer;
      },
    },
    onReturn: (listener) => ((comeBack = listener), () => {}),
    logger: { warn: () => {} },
  });
  const chart = createActor(logic).start();
  const isKnown = () => vi.waitFor(() => expect(chart.getSnapshot().value).toEqual({ known: "current" }));
  return { chart, told, asked, saved, isKnown, leaveOutElsewhere: () => ((held = true), comeBack()) };
}

it("contacts are left out after a question that says what that means, and taken in again without one", async () => {
  const { chart, told, asked, saved, isKnown } = startContacts(true);
  await isKnown();
  chart.send({ type: "contacts.switch" });
  await isKnown();
  expect(selectAreLeftOut(chart.getSnapshot())).toEqual(true);
  chart.send({ type: "contacts.switch" });
  await isKnown();
  expect([saved, told, asked.length]).toEqual([
    [true, false],
    ["Your contacts are left out from now on.", "Your contacts become leads again when they write."],
    1,
  ]);
  expect(asked[0]).toMatch(
    /^Leave your Telegram contacts out\?\n\nFrom now on nothing that your contacts write is stored/,
  );
});

it("contacts stay as they were when the person thinks better of it, and when it could not be saved, which is said", async () => {
  const declined = startContacts(false);
  await declined.isKnown();
  declined.chart.send({ type: "contacts.switch" });
  await declined.isKnown();
  expect([declined.saved, declined.chart.getSnapshot().context]).toEqual([[], { areLeftOut: false, problem: null }]);
  const refused = startContacts(true, () => Promise.reject(new Error("offline")));
  await refused.isKnown();
  refused.chart.send({ type: "contacts.switch" });
  await refused.isKnown();
  expect([refused.told, refused.chart.getSnapshot().context]).toEqual([
    [],
    { areLeftOut: false, problem: "No response from the server. It may have been saved." },
  ]);
});

it("what was switched elsewhere is seen when the page comes back", async () => {
  const { chart, isKnown, leaveOutElsewhere } = startContacts(true);
  await isKnown();
  leaveOutElsewhere();
  await isKnown();
  expect(selectAreLeftOut(chart.getSnapshot())).toEqual(true);
});
