import { fromCallback } from "xstate";
import type { ApiKey, NewApiKey } from "../../domain/api-key.ts";
import { apiKeyMachine } from "../../src/machines/api-key/index.ts";
import { type WalkedModel, overPending } from "../support/walk-suite.ts";

export const sheet: ApiKey = {
  id: "5b7a0c7e-4c0e-4d0c-9f0a-1d6f6f6b1a01",
  name: "Sheet",
  scopes: ["read"],
  hint: "9xQ2",
  created_at: "2026-03-05T10:00:00Z",
  last_used_at: null,
};
export const made: NewApiKey = {
  ...sheet,
  id: "5b7a0c7e-4c0e-4d0c-9f0a-1d6f6f6b1a02",
  name: "n8n",
  secret: "llk_the-secret-of-the-new-key",
};

export const refusal = Object.assign(new Error("refused"), {
  status: 422,
  body: {
    message: "The key cannot be made so.",
    code: "invalid_input",
    fields: { name: "Give the key another name.", "scopes.0": "Must be read, write or send." },
  },
});

export const apiKeyModel: WalkedModel = {
  unreported: ["copyText"],
  input: { origin: "https://leads.example.com" },
  events: [
    { type: "key.add", form: { name: "", scopes: ["read"] } },
    { type: "key.revoke", id: sheet.id },
    { type: "form.change", change: { name: "n8n" } },
    { type: "form.change", change: { scopes: ["read", "send"] } },
    { type: "secret.copy", what: "secret" },
    { type: "secret.copy", what: "config" },
    { type: "xstate.done.actor.listKeys", output: [sheet] },
    { type: "xstate.error.actor.listKeys", error: new Error("offline") },
    { type: "xstate.done.actor.createKey", output: made },
    { type: "xstate.error.actor.createKey", error: new Error("offline") },
    { type: "xstate.error.actor.createKey", error: refusal },
    { type: "xstate.done.actor.copyText" },
    { type: "xstate.error.actor.copyText", error: new Error("not allowed") },
    { type: "xstate.done.actor.askConfirmation", output: true },
    { type: "xstate.done.actor.askConfirmation", output: false },
    { type: "xstate.error.actor.askConfirmation", error: new Error("no dialog") },
    { type: "xstate.done.actor.revokeKey" },
    { type: "xstate.error.actor.revokeKey", error: new Error("offline") },
  ],
  project: ({ value, context }) => [
    value,
    context.form.name,
    context.form.scopes.length,
    context.made !== null,
    context.copying,
    context.copied,
    context.problem,
    Object.keys(context.refused),
    context.keys.length,
  ],
  allow: (snapshot, event) => {
    const { list, work } = snapshot.value as { list: string | { shown: string }; work: string };
    const { form, problem } = snapshot.context;
    // What is chosen or typed already is no change.
    if (event.type === "form.change") {
      const { change } = event as unknown as { change: { name?: string; scopes?: string[] } };
      if (change.name === form.name || change.scopes?.length === form.scopes.length) return false;
    }
    // What is read anew beside the work is walked from the resting state.
    const isReading = /^reading\.|actor\.listKeys$/.test(event.type);
    const isCurrent = typeof list === "object" && list.shown === "current" && snapshot.context.keys.length === 1;
    return isReading ? work === "resting" && problem === null : isCurrent || work !== "resting";
  },
  provide: (services) =>
    overPending(apiKeyMachine, ["listKeys", "createKey", "copyText", "askConfirmation", "revokeKey"])(services).provide(
      {
        actors: { watchReturns: fromCallback(() => {}) },
      } as never,
    ),
};
