import { expect, it } from "vitest";
import { createTelegramAccount } from "../../src/machines/telegram-account/telegram-account.machine.ts";
import { fakePage, openJourney, settle } from "../support/page.ts";
import { failsWith, isCalling, readingInvariants, walkEveryPath } from "../support/invariants.ts";
import { account, telegramAccountModel } from "./telegram-account.model.ts";

walkEveryPath(telegramAccountModel, {
  ...readingInvariants("health.", "fetchAccount", "account", {
    starts: ["done saveDailyCap", "error saveDailyCap", "done resumeSending", "error resumeSending"],
  }),
  "work.resting": {
    after: {
      start: ({ context }) => expect(context).toEqual({ account: null, problem: null }),
      "done saveDailyCap": ({ context }) => expect(context.problem).toEqual(null),
      "error saveDailyCap": failsWith("The daily limit may have been saved."),
      "done resumeSending": ({ context }) => expect(context.problem).toEqual(null),
      "error resumeSending": failsWith("Sending may have been resumed."),
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

async function startAccount(fetchAccount: () => Promise<typeof account | null> = async () => account) {
  const page = fakePage();
  const gateway = { fetchAccount, saveDailyCap: async () => {}, resumeSending: async () => {} };
  const journey = await openJourney(createTelegramAccount(page, { account: gateway }));
  return { ...journey, page };
}

it("shows no health and logs nothing when the server does not know the call", async () => {
  const { snapshot, context, page } = await startAccount(async () => null);
  expect([snapshot().value.health, context().account, page.logged]).toEqual([{ shown: "current" }, null, []]);
});

it.each([
  [{ type: "cap.submit", dailyCap: 50 } as const, "Daily limit saved."],
  [{ type: "sending.resume" } as const, "Sending resumed."],
])("finishes $type after the user leaves the screen, and says so", async (event, text) => {
  const { leave, page } = await startAccount();
  await leave(event);
  expect(page.notices).toEqual([text]);
});

it("reloads the account on the server's event", async () => {
  let sent = 0;
  const { context, page } = await startAccount(async () => ({ ...account, sent_today: (sent += 1) }));
  page.publish("telegram.changed");
  await settle();
  expect(context().account?.sent_today).toEqual(2);
});
