import { expect, it } from "vitest";
import { createNewPassword } from "../../src/machines/new-password/new-password.machine.ts";
import { startJourney } from "../support/page.ts";
import { walkEveryPath } from "../support/invariants.ts";
import { newPasswordModel } from "./new-password.model.ts";

walkEveryPath(newPasswordModel, {
  awaitingPassword: {
    after: {
      start: ({ context }) => expect(context.problem).toEqual(null),
      "password.submit": ({ event, context }) => {
        expect(event.confirmation).not.toEqual(event.password);
        expect(context.problem).toEqual("Passwords do not match");
      },
      "done savePassword": ({ context }) => expect(context.problem).toEqual("Password is too weak"),
      "error savePassword": ({ context }) => expect(context.problem).toEqual("Failed to fetch"),
    },
    accepts: ["password.submit"],
  },
  saving: {
    after: { "password.submit": ({ event }) => expect(event.confirmation).toEqual(event.password) },
    holds: ({ context, calls }) => {
      expect(context.problem).toEqual(null);
      expect(calls).toEqual({ savePassword: { password: "correct horse" } });
    },
  },
  saved: {
    after: {
      "done savePassword": ({ event, context }) => expect([event.output.kind, context.problem]).toEqual(["done", null]),
    },
  },
});

it("saves a new password, after one that was refused", async () => {
  const outcomes = [{ kind: "refused", message: "Password is too weak" }, { kind: "done" }] as const;
  const saved: string[] = [];
  const { go, snapshot, context } = startJourney(
    createNewPassword({ updatePassword: async ({ password }) => outcomes[saved.push(password) - 1] ?? outcomes[1] }),
  );
  await go({ type: "password.submit", password: "1234", confirmation: "1234" });
  expect(context().problem).toEqual("Password is too weak");
  await go({ type: "password.submit", password: "correct horse", confirmation: "correct horse" });
  expect([snapshot().status, context().problem, saved]).toEqual(["done", null, ["1234", "correct horse"]]);
});
