import { expect, it } from "vitest";
import { createActor, waitFor } from "xstate";
import { createNewPassword } from "../../src/machines/new-password/new-password.machine.ts";
import type { Invariants } from "../support/invariants.ts";
import { walkEveryPath } from "../support/walk-suite.ts";
import { newPasswordMachine, newPasswordModel } from "./new-password.model.ts";

const invariants: Invariants<typeof newPasswordMachine> = {
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
};

walkEveryPath(newPasswordMachine, newPasswordModel, invariants);

it("saves a new password typed the same twice, after one that was refused", async () => {
  const outcomes = [{ kind: "refused", message: "Password is too weak" }, { kind: "done" }] as const;
  const saved: string[] = [];
  const updatePassword = async ({ password }: { password: string }) =>
    outcomes[saved.push(password) - 1] ?? outcomes[1];
  const newPassword = createActor(createNewPassword({ updatePassword })).start();
  const submit = (password: string, confirmation = password) =>
    newPassword.send({ type: "password.submit", password, confirmation });
  submit("correct horse", "battery staple");
  expect(newPassword.getSnapshot().context.problem).toEqual("Passwords do not match");
  submit("1234");
  const refused = await waitFor(newPassword, (snapshot) => snapshot.matches("awaitingPassword"));
  expect(refused.context.problem).toEqual("Password is too weak");
  submit("correct horse");
  const { status, context } = await waitFor(newPassword, (snapshot) => snapshot.matches("saved"));
  expect([status, context.problem, saved]).toEqual(["done", null, ["1234", "correct horse"]]);
});
