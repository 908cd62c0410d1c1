import { expect, it } from "vitest";
import { createActor, waitFor } from "xstate";
import { createPasswordLink } from "../../src/machines/password-link/password-link.machine.ts";
import type { Invariants } from "../support/invariants.ts";
import { walkEveryPath } from "../support/walk-suite.ts";
import { passwordLinkMachine, passwordLinkModel } from "./password-link.model.ts";

const invariants: Invariants<typeof passwordLinkMachine> = {
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
};

walkEveryPath(passwordLinkMachine, passwordLinkModel, invariants);

it("shows why a request for a link was refused, then sends one to another address", async () => {
  const outcomes = [{ kind: "refused", message: "Too many requests" }, { kind: "done" }] as const;
  const asked: string[] = [];
  const requestPasswordReset = async ({ email }: { email: string }) => outcomes[asked.push(email) - 1] ?? outcomes[1];
  const link = createActor(createPasswordLink({ requestPasswordReset })).start();
  link.send({ type: "email.submit", email: "ada@example.com" });
  const refused = await waitFor(link, (snapshot) => snapshot.matches("awaitingEmail"));
  expect(refused.context).toEqual({ email: "ada@example.com", problem: "Too many requests" });
  link.send({ type: "email.submit", email: "bob@example.com" });
  const sent = await waitFor(link, (snapshot) => snapshot.matches("sent"));
  expect([sent.context, asked]).toEqual([
    { email: "bob@example.com", problem: null },
    ["ada@example.com", "bob@example.com"],
  ]);
});
