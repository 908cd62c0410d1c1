import { expect, it } from "vitest";
import { createPasswordLink } from "../../src/machines/password-link/password-link.machine.ts";
import { startJourney } from "../support/page.ts";
import { walkEveryPath } from "../support/invariants.ts";
import { passwordLinkModel } from "./password-link.model.ts";

walkEveryPath(passwordLinkModel, {
  awaitingEmail: {
    after: {
      start: ({ context }) => expect(context).toEqual({ email: "", problem: null }),
      "email.change": ({ context }) => expect(context).toEqual({ email: "ada@example.com", problem: null }),
      "done requestLink": ({ context }) => expect(context.problem).toEqual("Too many requests"),
      "error requestLink": ({ context }) => expect(context.problem).toEqual("Failed to fetch"),
    },
    accepts: ["email.submit"],
  },
  sending: {
    after: ["email.submit"],
    holds: ({ context, calls }) => {
      expect(context).toEqual({ email: "ada@example.com", problem: null });
      expect(calls).toEqual({ requestLink: { email: "ada@example.com" } });
    },
  },
  sent: {
    after: {
      "done requestLink": ({ event, context }) =>
        expect([event.output, context]).toEqual([{ kind: "done" }, { email: "ada@example.com", problem: null }]),
    },
    accepts: ["email.change"],
  },
});

it("shows why a link was refused, then sends one to another address", async () => {
  const outcomes = [{ kind: "refused", message: "Too many requests" }, { kind: "done" }] as const;
  const emails: string[] = [];
  const requestPasswordReset = async ({ email }: { email: string }) => outcomes[emails.push(email) - 1] ?? outcomes[1];
  const { go, context, snapshot } = startJourney(createPasswordLink({ requestPasswordReset }));
  await go({ type: "email.submit", email: "ada@example.com" });
  expect(context()).toEqual({ email: "ada@example.com", problem: "Too many requests" });
  await go({ type: "email.submit", email: "bob@example.com" });
  expect([snapshot().value, context().problem, emails]).toEqual(["sent", null, ["ada@example.com", "bob@example.com"]]);
});
