import { describe, expect, it } from "vitest";
import { createActor, waitFor } from "xstate";
import { createNewPassword, newPasswordMachine } from "../../src/machines/new-password/index.ts";
import { walkEveryPath } from "../support/walk-suite.ts";
import { newPasswordModel } from "./new-password.model.ts";

walkEveryPath(newPasswordMachine, newPasswordModel);

describe("a new password", () => {
  it("is saved when it is typed the same twice, and only then", async () => {
    const saved: string[] = [];
    const auth = {
      updatePassword: async ({ password }: { password: string }) => {
        saved.push(password);
        return { kind: "done" } as const;
      },
    };
    const newPassword = createActor(createNewPassword({ auth })).start();
    newPassword.send({ type: "password.submit", password: "correct horse", confirmation: "battery staple" });
    expect(newPassword.getSnapshot().context.problem).toEqual("Passwords do not match");
    newPassword.send({ type: "password.submit", password: "correct horse", confirmation: "correct horse" });
    await waitFor(newPassword, (snapshot) => snapshot.matches("saved"));
    expect(saved).toEqual(["correct horse"]);
  });
});
