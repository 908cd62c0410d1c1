import { expect, it } from "vitest";
import { createLogin } from "../../src/machines/login/login.machine.ts";
import type { Auth } from "../../src/services/auth.ts";
import { english } from "../support/english.ts";
import { fakePage, startJourney } from "../support/page.ts";
import { isCalling, walkEveryPath } from "../support/invariants.ts";
import { loginModel } from "./login.model.ts";

walkEveryPath(loginModel, {
  awaitingCredentials: {
    accepts: ["credentials.submit"],
    after: {
      start: ({ context }) => expect(context.problem).toEqual(""),
      "done showAlert": ({ before, context }) => expect(context.problem).toEqual(before.problem),
      "error showAlert": ({ before, context }) => expect(context.problem).toEqual(before.problem),
    },
  },
  signingIn: {
    after: { "credentials.submit": ({ context }) => expect(context.problem).toEqual("") },
    holds: isCalling("signIn", { email: "ada@example.com", password: "correct horse" }),
  },
  showingProblem: {
    after: {
      "done signIn": ({ context }) => expect(context.problem).toEqual("Invalid login credentials"),
      "error signIn": ({ context }) => expect(context.problem).toEqual("Failed to fetch"),
    },
    holds: ({ context, calls }) =>
      isCalling("showAlert", { message: `Login failed: ${english(context.problem ?? "")}` })({ calls }),
  },
  signedIn: { after: { "done signIn": ({ event }) => expect(event.output.kind).toEqual("signedIn") } },
});

it("shows the server's message for a wrong password, and asks again", async () => {
  const page = fakePage();
  const signIn: Auth["signIn"] = async () => ({ kind: "refused", message: "Invalid login credentials" });
  const { go, snapshot } = startJourney(createLogin(page, signIn));
  await go({ type: "credentials.submit", email: "ada@example.com", password: "correct horse" });
  expect(snapshot().value).toEqual("awaitingCredentials");
  expect(page.notices).toEqual([["alert", "Login failed: Invalid login credentials"]]);
});
