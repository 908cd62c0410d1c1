import { expect, it } from "vitest";
import { createSignup } from "../../src/machines/signup/signup.machine.ts";
import { fakePage, startJourney } from "../support/page.ts";
import { walkEveryPath } from "../support/invariants.ts";
import { signupModel } from "./signup.model.ts";

const blank = { name: "", email: "", userId: "", problem: null, news: "" };
const typed = { ...blank, name: "Ada Lovelace", email: "ada@example.com" };
const CREATED = "✅ Account created! Check your email to confirm.";
const CONFIRM = "✅ Signup successful! Please check your email to confirm.";

walkEveryPath(signupModel, {
  "*": { holds: ({ cause, effects }) => expect("openLogin" in effects).toEqual(cause.endsWith(" showAlert")) },
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
});

it("saves the profile, says so, and opens the login screen", async () => {
  const page = fakePage();
  const calls: unknown[] = [];
  const logic = createSignup(page, {
    signUp: async () => ({ kind: "signedUp", userId: "ada", isConfirmed: false }),
    insertProfile: async (profile) => void calls.push(profile),
    openLogin: () => void calls.push("login"),
  });
  const [password, confirmation] = ["correct horse", "correct horse"];
  const { name, email } = typed;
  await startJourney(logic).go({ type: "details.submit", name, email, password, confirmation });
  expect([calls, page.notices, page.logged]).toEqual([[{ id: "ada", email, name }, "login"], [["alert", CREATED]], []]);
});
