import { describe, expect, it } from "vitest";
import { waitFor } from "xstate";
import { type SignUpOutcome, signupMachine, startSignup } from "../../src/machines/signup/index.ts";
import type { Invariants } from "../support/invariants.ts";
import { walkEveryPath } from "../support/walk-suite.ts";
import { signupModel } from "./signup.model.ts";

const blank = { name: "", email: "", userId: "", problem: null, news: "" };
const typed = { ...blank, name: "Ada Lovelace", email: "ada@example.com" };
const CREATED = "✅ Account created! Check your email to confirm.";
const CONFIRM = "✅ Signup successful! Please check your email to confirm.";

const invariants: Invariants<typeof signupMachine> = {
  "*": {
    holds: ({ cause, effects }) => expect("openLogin" in effects).toEqual(cause.endsWith(" showAlert")),
  },
  awaitingDetails: {
    after: {
      start: ({ context }) => expect(context).toEqual(blank),
      "details.submit": ({ event, before, context }) => {
        expect(event.confirmation).not.toEqual(event.password);
        expect(context).toEqual({ ...before, problem: "Passwords do not match" });
      },
      "done signUp": ({ context }) => expect(context).toEqual({ ...typed, problem: "User already registered" }),
      "error signUp": ({ context }) => expect(context).toEqual({ ...typed, problem: "Failed to fetch" }),
      "done showAlert": ({ context }) => expect(context).toEqual(blank),
      "error showAlert": ({ context }) => expect(context).toEqual(blank),
    },
    accepts: ["details.submit"],
  },
  signingUp: {
    after: { "details.submit": ({ event }) => expect(event.confirmation).toEqual(event.password) },
    holds: ({ context, calls }) => {
      expect(context).toEqual(typed);
      expect(calls).toEqual({ signUp: { name: "Ada Lovelace", email: "ada@example.com", password: "correct horse" } });
    },
  },
  savingProfile: {
    after: ["done signUp"],
    holds: ({ context, calls }) => {
      expect(context).toEqual({ ...typed, userId: "ada" });
      expect(calls).toEqual({ insertProfile: { id: "ada", email: "ada@example.com", name: "Ada Lovelace" } });
    },
  },
  announcing: {
    after: {
      "done signUp": ({ context }) => expect(context).toEqual({ ...typed, news: CONFIRM }),
      "done insertProfile": ({ context }) => expect(context.news).toEqual(CREATED),
      "error insertProfile": ({ context }) =>
        expect(context.news).toEqual(`${CONFIRM} Your profile will be saved once confirmed.`),
    },
    holds: ({ context, calls }) => expect(calls).toEqual({ showAlert: { message: context.news } }),
  },
};

walkEveryPath(signupMachine, signupModel, invariants);

describe("a sign-up", () => {
  const signUp = async (outcome: () => Promise<SignUpOutcome>, insertProfile = async () => {}) => {
    const seen = { alerts: [] as string[], profiles: [] as unknown[], logins: 0, warnings: [] as string[] };
    const signup = startSignup({
      auth: { signUp: outcome },
      data: {
        insertProfile: (profile) => {
          seen.profiles.push(profile);
          return insertProfile();
        },
      },
      notifier: { alert: async (message) => void seen.alerts.push(message) },
      logger: { warn: (what) => void seen.warnings.push(what) },
      openLogin: () => {
        seen.logins += 1;
      },
    });
    const details = { name: "Ada Lovelace", email: "ada@example.com", password: "correct horse" };
    signup.send({ type: "details.submit", ...details, confirmation: "correct horse" });
    const { context } = await waitFor(signup, (snapshot) => snapshot.matches("awaitingDetails"));
    return { ...seen, problem: context.problem };
  };

  it("with a saved profile says so and leads to the login screen", async () => {
    expect(await signUp(async () => ({ kind: "signedUp", userId: "ada" }))).toEqual({
      alerts: ["✅ Account created! Check your email to confirm."],
      profiles: [{ id: "ada", email: "ada@example.com", name: "Ada Lovelace" }],
      logins: 1,
      warnings: [],
      problem: null,
    });
  });

  it("whose profile could not be saved promises to save it later", async () => {
    const result = await signUp(
      async () => ({ kind: "signedUp", userId: "ada" }),
      () => Promise.reject(new Error("401")),
    );
    expect(result).toMatchObject({
      alerts: ["✅ Signup successful! Please check your email to confirm. Your profile will be saved once confirmed."],
      logins: 1,
      warnings: ["the profile could not be saved"],
    });
  });
});
