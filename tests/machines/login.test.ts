import { describe, expect, it } from "vitest";
import { createActor, waitFor } from "xstate";
import { createLogin } from "../../src/machines/login/login.machine.ts";
import type { Auth } from "../../src/services/auth.ts";
import { english } from "../support/english.ts";
import { fakePage } from "../support/page.ts";
import { isCalling } from "../support/reading-invariants.ts";
import { walkEveryPath } from "../support/walk-suite.ts";
import { loginMachine, loginModel } from "./login.model.ts";

walkEveryPath(loginMachine, loginModel, {
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

describe("a login", () => {
  const logIn = (signIn: Auth["signIn"]) => {
    const page = fakePage();
    const login = createActor(createLogin(page, signIn)).start();
    login.send({ type: "credentials.submit", email: "ada@example.com", password: "correct horse" });
    return { login, said: page.said };
  };

  it("with the right password ends signed in and says nothing", async () => {
    const { login, said } = logIn(async () => ({ kind: "signedIn" }));
    await waitFor(login, (snapshot) => snapshot.status === "done");
    expect(login.getSnapshot().value).toEqual("signedIn");
    expect(said).toEqual([]);
  });

  it("with a wrong password says so in the server's words and asks again", async () => {
    const { login, said } = logIn(async () => ({ kind: "refused", message: "Invalid login credentials" }));
    await waitFor(login, (snapshot) => snapshot.matches("awaitingCredentials"));
    expect(said).toEqual([["alert", "Login failed: Invalid login credentials"]]);
  });
});
