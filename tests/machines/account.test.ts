import { describe, expect, it } from "vitest";
import { createActor, waitFor } from "xstate";
import { createAccount } from "../../src/machines/account/account.machine.ts";
import type { createAccountGateway } from "../../src/services/account.ts";
import { fakePage } from "../support/page.ts";
import { walkEveryPath } from "../support/walk-suite.ts";
import { accountMachine, accountModel } from "./account.model.ts";

const email = "ada@example.com";

walkEveryPath(accountMachine, accountModel, {
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
          email,
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
  const set = (account: Partial<ReturnType<typeof createAccountGateway>> = {}) => {
    const page = fakePage();
    const seen = { files: [] as string[], deletions: [] as string[], ended: 0, checked: 0, said: page.said };
    const logic = createAccount(page, {
      account: {
        exportData: async () => new Blob(["{}"]),
        deleteAccount: async ({ password }) => {
          seen.deletions.push(password);
          return { kind: "deleted" };
        },
        ...account,
      },
      save: (_file, name) => void seen.files.push(name),
      endSession: () => {
        seen.ended += 1;
      },
      checkSession: () => {
        seen.checked += 1;
      },
    });
    const actor = createActor(logic, { input: { email: "ada@example.com" } }).start();
    return { actor, seen };
  };

  it("hands its data over as a file", async () => {
    const { actor, seen } = set();
    actor.send({ type: "export.request" });
    await waitFor(actor, (snapshot) => snapshot.matches("resting"));
    expect(seen).toEqual({ files: ["leadloom-export.json"], deletions: [], ended: 0, checked: 0, said: [] });
  });

  it("is deleted only when its e-mail is typed out, and then ends the session", async () => {
    const { actor, seen } = set();
    actor.send({ type: "deletion.open" });
    actor.send({ type: "deletion.confirm", email: "yes", password: "correct horse" });
    expect(actor.getSnapshot().context.problem).toEqual("Type the email of this account exactly to confirm.");
    expect(seen.deletions).toEqual([]);
    actor.send({ type: "deletion.confirm", email: " Ada@Example.com ", password: "correct horse" });
    await waitFor(actor, (snapshot) => snapshot.status === "done");
    expect(seen).toEqual({ files: [], deletions: ["correct horse"], ended: 1, checked: 0, said: [] });
  });

  it.each([
    ["done", { kind: "deleted" } as const, 1, "Your account was deleted."],
    ["refused", { kind: "refused", message: "Wrong password." } as const, 0, ["warning", "Wrong password."]],
  ])("whose deletion's screen is left hears when it is %s", async (_how, outcome, ended, words) => {
    const gate = Promise.withResolvers<typeof outcome>();
    const { actor, seen } = set({ deleteAccount: () => gate.promise });
    actor.send({ type: "deletion.open" });
    actor.send({ type: "deletion.confirm", email: "ada@example.com", password: "guess" });
    actor.stop();
    gate.resolve(outcome);
    await expect.poll(() => seen.said).toEqual([words]);
    expect(seen.ended).toEqual(ended);
  });
});
