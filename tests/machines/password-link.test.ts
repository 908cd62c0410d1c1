import { describe, expect, it } from "vitest";
import { createActor, waitFor } from "xstate";
import { createPasswordLink, passwordLinkMachine, selectSentTo } from "../../src/machines/password-link/index.ts";
import { walkEveryPath } from "../support/walk-suite.ts";
import { passwordLinkModel } from "./password-link.model.ts";

walkEveryPath(passwordLinkMachine, passwordLinkModel);

describe("a forgotten password", () => {
  it("is answered with a link to the address given", async () => {
    const asked: string[] = [];
    const auth = {
      requestPasswordReset: async ({ email }: { email: string }) => {
        asked.push(email);
        return { kind: "done" } as const;
      },
    };
    const link = createActor(createPasswordLink({ auth })).start();
    link.send({ type: "email.submit", email: "ada@example.com" });
    expect(selectSentTo(await waitFor(link, (snapshot) => snapshot.matches("sent")))).toEqual("ada@example.com");
    expect(asked).toEqual(["ada@example.com"]);
  });
});
