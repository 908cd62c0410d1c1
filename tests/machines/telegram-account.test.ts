import { expect, it } from "vitest";
import { createActor } from "xstate";
import { createTelegramAccount } from "../../src/machines/telegram-account/telegram-account.machine.ts";
import { failureText, refusedWith } from "../support/model-events.ts";
import { fakePage, settle } from "../support/page.ts";
import { isCalling, readingInvariants } from "../support/reading-invariants.ts";
import { walkEveryPath } from "../support/walk-suite.ts";
import { account, telegramAccountMachine, telegramAccountModel } from "./telegram-account.model.ts";

walkEveryPath(telegramAccountMachine, telegramAccountModel, {
  ...readingInvariants("health.", "fetchAccount", "account", {
    starts: ["done saveDailyCap", "error saveDailyCap", "done resumeSending", "error resumeSending"],
  }),
  "work.resting": {
    after: {
      start: ({ context }) => expect(context).toEqual({ account: null, problem: null }),
      "done saveDailyCap": ({ context }) => expect(context.problem).toEqual(null),
      "error saveDailyCap": ({ context, event }) =>
        expect(context.problem).toEqual(failureText(event, "The daily limit may have been saved.")),
      "done resumeSending": ({ context }) => expect(context.problem).toEqual(null),
      "error resumeSending": ({ context, event }) =>
        expect(context.problem).toEqual(failureText(event, "Sending may have been resumed.")),
    },
    accepts: ({ account: known }) => (known === null ? [] : ["cap.submit", "sending.resume"]),
  },
  "work.savingCap": {
    after: { "cap.submit": ({ context }) => expect(context.problem).toEqual(null) },
    holds: isCalling("saveDailyCap", { dailyCap: 50 }),
  },
  "work.resuming": {
    after: { "sending.resume": ({ context }) => expect(context.problem).toEqual(null) },
    holds: isCalling("resumeSending"),
  },
});

const gateway = { fetchAccount: async () => account, saveDailyCap: async () => {}, resumeSending: async () => {} };

it("shows no health and logs nothing when the server does not know the call", async () => {
  const page = fakePage();
  const fetchAccount = () => Promise.reject(refusedWith(404));
  const actor = createActor(createTelegramAccount(page, { account: { ...gateway, fetchAccount } })).start();
  await settle();
  expect([actor.getSnapshot().value, actor.getSnapshot().context.account, page.logged]).toEqual([
    { health: { shown: "current" }, work: "resting" },
    null,
    [],
  ]);
});

it.each([
  [{ type: "cap.submit", dailyCap: 50 } as const, "Daily limit saved."],
  [{ type: "sending.resume" } as const, "Sending resumed."],
])("finishes $type after the user leaves the screen, and says so", async (event, text) => {
  const page = fakePage();
  const actor = createActor(createTelegramAccount(page, { account: gateway })).start();
  await settle();
  actor.send(event);
  actor.stop();
  await settle();
  expect(page.said).toEqual([text]);
});

it("reads the account again when the server says that it changed", async () => {
  const page = fakePage();
  let sent = 0;
  const fetchAccount = async () => ({ ...account, sent_today: (sent += 1) });
  const actor = createActor(createTelegramAccount(page, { account: { ...gateway, fetchAccount } })).start();
  await settle();
  page.publish("telegram.changed");
  await settle();
  expect(actor.getSnapshot().context.account?.sent_today).toEqual(2);
});
