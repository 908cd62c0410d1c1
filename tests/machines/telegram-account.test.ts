import { expect, test, vi } from "vitest";
import { createActor } from "xstate";
import {
  type AccountGateway,
  createTelegramAccount,
  telegramAccountMachine,
} from "../../src/machines/telegram-account/index.ts";
import { selectUnread } from "../../src/machines/kit/reading.ts";
import type { Invariants } from "../support/invariants.ts";
import { isCalling, readingInvariants } from "../support/reading-invariants.ts";
import { walkEveryPath } from "../support/walk-suite.ts";
import { account, telegramAccountModel } from "./telegram-account.model.ts";

const invariants: Invariants<typeof telegramAccountMachine> = {
  ...readingInvariants("health.", "fetchAccount", "account", {
    starts: ["done saveDailyCap", "error saveDailyCap", "done resumeSending", "error resumeSending"],
  }),
  "work.resting": {
    after: {
      start: ({ context }) => expect(context).toEqual({ account: null, problem: null }),
      "done saveDailyCap": ({ context }) => expect(context.problem).toEqual(null),
      "error saveDailyCap": ({ context }) =>
        expect(context.problem).toEqual("No response from the server. The daily limit may have been saved."),
      "done resumeSending": ({ context }) => expect(context.problem).toEqual(null),
      "error resumeSending": ({ context }) =>
        expect(context.problem).toEqual("No response from the server. Sending may have been resumed."),
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
};

walkEveryPath(telegramAccountMachine, telegramAccountModel, invariants);

function panel(overrides: Partial<AccountGateway> = {}) {
  const gateway: AccountGateway = {
    fetchAccount: async () => account,
    saveDailyCap: async () => {},
    resumeSending: async () => {},
    ...overrides,
  };
  const warnings: string[] = [];
  const said: string[] = [];
  let tell = () => {};
  const actor = createActor(
    createTelegramAccount({
      account: gateway,
      news: {
        onAccountChanged: (listener) => {
          tell = listener;
          return () => {};
        },
      },
      notifier: { toast: (words) => void said.push(words), warn: (words) => void said.push(`⚠ ${words}`) },
      logger: { warn: (what) => warnings.push(what) },
    }),
  ).start();
  const settled = (value: unknown) =>
    vi.waitFor(() => expect(actor.getSnapshot().value).toEqual(value), { interval: 1 });
  return { actor, warnings, said, settled, tell: () => tell() };
}

const refusal = (status: number, body: unknown) => Promise.reject(Object.assign(new Error(), { status, body }));

test("a server that tells no health leaves the panel absent, without a line in the log", async () => {
  const { actor, warnings, settled } = panel({ fetchAccount: () => refusal(404, null) });
  await settled({ health: { shown: "current" }, work: "resting" });
  expect({ account: actor.getSnapshot().context.account, warnings }).toEqual({ account: null, warnings: [] });
});

test("another failure of the panel is logged once, told, and read again on demand", async () => {
  const fetchAccount = vi
    .fn<AccountGateway["fetchAccount"]>()
    .mockImplementationOnce(() => refusal(500, null))
    .mockResolvedValueOnce(account);
  const { actor, warnings, settled } = panel({ fetchAccount });
  await settled({ health: "unread", work: "resting" });
  expect(warnings).toEqual(["the account's health could not be read"]);
  expect(selectUnread(actor.getSnapshot())).toEqual("the account's health");
  actor.send({ type: "cap.submit", dailyCap: 5 });
  expect(actor.getSnapshot().matches({ work: "resting" })).toBe(true);
  actor.send({ type: "reading.retry" });
  await settled({ health: { shown: "current" }, work: "resting" });
});

test("a limit whose screen is left is saved to the end, and the person is told", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { actor, said, settled } = panel({ saveDailyCap: () => promise });
  await settled({ health: { shown: "current" }, work: "resting" });
  actor.send({ type: "cap.submit", dailyCap: 50 });
  actor.stop();
  resolve();
  await vi.waitFor(() => expect(said).toEqual(["Daily limit saved."]), { interval: 1 });
});

test("a new daily limit is saved and read back", async () => {
  const saveDailyCap = vi.fn<AccountGateway["saveDailyCap"]>(async () => {});
  const fetchAccount = vi
    .fn<AccountGateway["fetchAccount"]>()
    .mockResolvedValueOnce(account)
    .mockResolvedValueOnce({ ...account, daily_cap: 50 });
  const { actor, settled } = panel({ saveDailyCap, fetchAccount });
  await settled({ health: { shown: "current" }, work: "resting" });
  actor.send({ type: "cap.submit", dailyCap: 50 });
  await vi.waitFor(() => expect(actor.getSnapshot().context.account?.daily_cap).toBe(50), { interval: 1 });
  expect(saveDailyCap.mock.calls.map(([input]) => input)).toEqual([{ dailyCap: 50 }]);
});

test.each([
  ["the first reading", 0],
  ["a refresh", 1],
])("news while %s is under way ask once more, for the answer on its way may be older", async (_when, readBefore) => {
  const answers = Array.from({ length: readBefore + 2 }, () => Promise.withResolvers<typeof account>());
  const fetchAccount = vi.fn<AccountGateway["fetchAccount"]>();
  for (const { promise } of answers) fetchAccount.mockReturnValueOnce(promise);
  const { actor, settled, tell } = panel({ fetchAccount });
  if (readBefore > 0) {
    answers[0]?.resolve(account);
    await settled({ health: { shown: "current" }, work: "resting" });
    tell();
  }
  tell();
  answers[readBefore]?.resolve({ ...account, sent_today: 1 });
  answers[readBefore + 1]?.resolve({ ...account, sent_today: 2 });
  await settled({ health: { shown: "current" }, work: "resting" });
  expect(actor.getSnapshot().context.account?.sent_today).toBe(2);
  expect(fetchAccount).toHaveBeenCalledTimes(readBefore + 2);
});
