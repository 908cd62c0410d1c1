import { describe, expect, it } from "vitest";
import { createAccount } from "../../src/machines/account/account.machine.ts";
import type { createAccountGateway } from "../../src/services/account.ts";
import { fakePage, startJourney } from "../support/page.ts";
import { walkEveryPath } from "../support/invariants.ts";
import { accountModel } from "./account.model.ts";

type AccountService = ReturnType<typeof createAccountGateway>;
const email = "ada@example.com";

walkEveryPath(accountModel, {
  resting: {
    accepts: ["export.request", "deletion.open"],
    after: {
      start: ({ context }) => expect(context).toEqual({ email, problem: null }),
      "deletion.cancel": ({ context }) => expect(context.problem).toEqual(null),
      "done exportData": ({ event, effects }) => expect(effects).toEqual({ saveFile: event.output }),
      "error exportData": ({ context }) =>
        expect(context).toEqual({ email, problem: "Your data could not be exported. Try again." }),
    },
  },
  exporting: {
    after: ["export.request"],
    holds: ({ context, calls }) => expect([context.problem, Object.keys(calls)]).toEqual([null, ["exportData"]]),
  },
  awaitingConfirmation: {
    accepts: ["deletion.cancel", "deletion.confirm"],
    after: {
      "deletion.open": ({ context }) => expect(context.problem).toEqual(null),
      "deletion.confirm": ({ event, context }) =>
        expect([event.email, context.problem]).toEqual([
          "bob@example.com",
          "Type the email of this account exactly to confirm.",
        ]),
      "done deleteAccount": ({ event, context }) => expect(context.problem).toEqual(event.output.message),
      "error deleteAccount": ({ context, effects }) => {
        expect(context.problem).toEqual(
          "No response from the server. Your account may have been deleted. If it was, this page logs you out in a moment.",
        );
        expect(effects).toHaveProperty("checkSession");
      },
    },
  },
  deleting: {
    after: {
      "deletion.confirm": ({ event, context, calls }) =>
        expect([event.email, context.problem, calls]).toEqual([
          " Ada@Example.com ",
          null,
          { deleteAccount: { password: "correct horse" } },
        ]),
    },
  },
  deleted: {
    after: {
      "done deleteAccount": ({ event, effects }) =>
        expect([event.output.kind, effects]).toEqual(["deleted", { endSession: null }]),
    },
  },
});

describe("an account", () => {
  const start = (deletion: Promise<Awaited<ReturnType<AccountService["deleteAccount"]>>>) => {
    const page = fakePage();
    const done: string[] = [];
    const logic = createAccount(page, {
      account: {
        exportData: async () => new Blob(["{}"]),
        deleteAccount: ({ password }) => (done.push(`deleted with ${password}`), deletion),
      },
      save: (_file, name) => void done.push(name),
      endSession: () => void done.push("session ended"),
      checkSession: () => void done.push("session checked"),
    });
    return { ...startJourney(logic, { input: { email } }), done, notices: page.notices };
  };

  it("exports its data as a file", async () => {
    const { go, done } = start(Promise.withResolvers<never>().promise);
    await go({ type: "export.request" });
    expect(done).toEqual(["leadloom-export.json"]);
  });

  it.each([
    ["done", { kind: "deleted" } as const, ["session ended"], "Your account was deleted."],
    ["refused", { kind: "refused", message: "Wrong password." } as const, [], ["warning", "Wrong password."]],
  ])("reports a deletion that is %s after the user leaves the screen", async (_how, outcome, ended, words) => {
    const { leave, done, notices } = start(Promise.resolve(outcome));
    await leave({ type: "deletion.open" }, { type: "deletion.confirm", email, password: "guess" });
    expect([notices, done]).toEqual([[words], ["deleted with guess", ...ended]]);
  });
});
