import { expect, it } from "vitest";
import { keyDraft, createApiKey } from "../../src/machines/api-key/api-key.machine.ts";
import { mcpConfig } from "../../src/machines/api-key/api-key.texts.ts";
import {
  confirmationInvariant,
  confirmedInvariant,
  editsForm,
  readingInvariants,
  revealingInvariants,
  walkEveryPath,
} from "../support/invariants.ts";
import { fakePage, openJourney, settle } from "../support/page.ts";
import { failureText, offline, unanswered } from "../support/model.ts";
import { apiKeyModel, made, sheet } from "./api-key.model.ts";

const origin = "https://leads.example.com";
const closed = {
  active: null,
  made: null,
  form: { name: "", scopes: ["read"] },
  copying: null,
  copied: {},
  refused: {},
};

walkEveryPath(apiKeyModel, {
  ...readingInvariants("list.", "listKeys", "keys", {
    starts: ["done createKey", "error createKey", "done revokeKey", "error revokeKey"],
  }),
  "work.resting": {
    accepts: ({ keys }) => ["key.add", ...(keys.length > 0 ? ["key.revoke"] : [])],
    holds: ({ context }) => expect(context).toMatchObject(closed),
    after: {
      start: ({ context }) => expect(context).toMatchObject({ origin, keys: [], problem: null, about: null }),
      "form.cancel": ({ context }) => expect(context.problem).toEqual(null),
      "secret.dismiss": ({ before }) => expect(Object.values(before.copied)).toContain("copied"),
      "done askConfirmation": ({ before, event }) => expect(event.output).toEqual(before.made !== null),
      "error askConfirmation": ({ before }) => expect(before.made).toEqual(null),
      "done revokeKey": ({ context, effects }) =>
        expect([context.keys, effects]).toEqual([[], { announceRevoked: { name: "Sheet" } }]),
      "error revokeKey": ({ context, event }) =>
        expect([context.problem, context.about]).toEqual([
          failureText(event, "The key may have been revoked. If it is still in the list, it works: try again."),
          sheet.id,
        ]),
    },
  },
  "work.editing": {
    accepts: ["form.change", "form.cancel", "form.submit"],
    after: {
      "key.add": ({ context, event }) =>
        expect(context).toMatchObject({ form: event.form, problem: null, refused: {} }),
      "form.change": editsForm,
      "form.submit": ({ context }) =>
        expect([context.problem, context.refused]).toEqual([
          null,
          {
            ...(context.form.name === "" && { name: "Give the key a name." }),
            ...(context.form.scopes.length === 0 && { scopes: "Choose at least one of read, write, send." }),
          },
        ]),
      "error createKey": ({ context, before, event }) => {
        expect([context.problem, context.refused]).toEqual(
          event.error === offline
            ? [unanswered("The key may have been created. Try again: you get the same key, with a secret to copy."), {}]
            : [
                "The key cannot be made so.",
                { name: "Give the key another name.", scopes: "Must be read, write or send." },
              ],
        );
        expect(context.form).toEqual(before.form);
      },
    },
  },
  "work.creating": {
    after: {
      "form.submit": ({ context, calls }) => {
        expect([context.form.name, context.form.scopes.length > 0]).toEqual(["n8n", true]);
        expect(calls).toMatchObject({ createKey: context.form });
      },
    },
  },
  ...revealingInvariants("work.", {
    shows: { "done createKey": ({ context }) => expect(context).toMatchObject({ ...closed, made, problem: null }) },
    text: ({ copying }) => (copying === "config" ? mcpConfig(origin, made.secret) : made.secret),
    question: "You have not copied the key. It is shown only now and cannot be brought back.\n\nClose it?",
  }),
  "work.awaitingConfirmation": confirmationInvariant(
    "Revoke the key 'Sheet'?\n\nPrograms that use it are refused at once. This cannot be undone.",
    ["key.revoke"],
  ),
  "work.revoking": confirmedInvariant("revokeKey", { id: sheet.id }),
});

it("copies a key as the configuration of an assistant", () =>
  expect(JSON.parse(mcpConfig(origin, made.secret))).toEqual({
    mcpServers: {
      leadloom: { type: "http", url: `${origin}/mcp`, headers: { Authorization: `Bearer ${made.secret}` } },
    },
  }));

it("names the revoked key, and warns of a secret lost when the user left early", async () => {
  const page = fakePage();
  const answer = Promise.withResolvers<typeof made>();
  const revoked: string[] = [];
  const logic = createApiKey(page, {
    keys: { list: async () => [sheet], create: () => answer.promise, revoke: async ({ id }) => void revoked.push(id) },
  });
  const { leave, go } = await openJourney(logic, { input: { origin } });
  await go({ type: "key.revoke", id: sheet.id });
  expect([revoked, page.notices.splice(0).at(-1)]).toEqual([[sheet.id], "The key 'Sheet' was revoked."]);
  keyDraft(page.drafts).write({ name: "n8n", scopes: [] }, {});
  void leave({ type: "key.add", form: { name: "n8n", scopes: ["read"] } }, { type: "form.submit" });
  answer.resolve(made);
  await settle();
  expect(page.notices).toEqual([
    [
      "warning",
      "The key 'n8n' was created after you had left, and its secret was not shown. Revoke it and create another.",
    ],
  ]);
  expect(keyDraft(page.drafts).read()).toEqual(null);
});
