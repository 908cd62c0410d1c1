import { describe, expect, it } from "vitest";
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

describe("a new password", () => {
  it("is saved when it is typed the same twice, and only then", async () => {
    const saved: string[] = [];
    const auth = {
      updatePassword: async ({ password }: { password: string }) => {
        saved.push(password);
        return { kind: "done" } as const;
      },
    };
    const newPassword = createActor(createNewPassword(auth)).start();
    newPassword.send({ type: "password.submit", password: "correct horse", confirmation: "battery staple" });
    expect(newPassword.getSnapshot().context.problem).toEqual("Passwords do not match");
    newPassword.send({ type: "password.submit", password: "correct horse", confirmation: "correct horse" });
    await waitFor(newPassword, (snapshot) => snapshot.matches("saved"));
    expect(saved).toEqual(["correct horse"]);
  });

  it("shows why it was refused, then saves another one", async () => {
    const outcomes = [{ kind: "refused", message: "Password is too weak" }, { kind: "done" }] as const;
    let calls = 0;
    const auth = { updatePassword: async () => outcomes[calls++] ?? outcomes[1] };
    const newPassword = createActor(createNewPassword(auth)).start();
    const submit = (password: string) =>
      newPassword.send({ type: "password.submit", password, confirmation: password });
    submit("1234");
    const refused = await waitFor(newPassword, (snapshot) => snapshot.matches("awaitingPassword"));
    expect(refused.context.problem).toEqual("Password is too weak");
    submit("correct horse");
    const saved = await waitFor(newPassword, (snapshot) => snapshot.matches("saved"));
    expect([saved.status, saved.context.problem]).toEqual(["done", null]);
  });
});
