import type { ApiKey, NewApiKey } from "../../domain/api-key.ts";
import { createApiKey } from "../../src/machines/api-key/api-key.machine.ts";
import { done, failed, failedWrites, modelOf, offline, refusedWith } from "../support/model.ts";
import { fakePage } from "../support/page.ts";

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

const refusal = refusedWith(422, {
  message: "The key cannot be made so.",
  fields: { name: "Give the key another name.", "scopes.0": "Must be read, write or send." },
});

export const apiKeyModel = modelOf(createApiKey(fakePage()), {
  unreported: ["copyText"],
  input: { origin: "https://leads.example.com" },
  events: [
    { type: "key.add", form: { name: "", scopes: ["read"] } },
    { type: "key.revoke", id: sheet.id },
    { type: "form.change", change: { name: "n8n" } },
    { type: "form.change", change: { scopes: ["read", "send"] } },
    { type: "form.change", change: { scopes: [] } },
    { type: "secret.copy", what: "secret" },
    { type: "secret.copy", what: "config" },
    ...done("listKeys", [sheet]),
    ...done("createKey", made),
    ...failed("createKey", offline, refusal),
    ...done("askConfirmation", true, false),
    ...failedWrites("revokeKey"),
  ],
  allow: (snapshot, event) => {
    const { list, work } = snapshot.value as { list: string | { shown: string }; work: string };
    const { form, problem } = snapshot.context;
    // An equal value is no change, and scopes are ticked one at a time.
    if (event.type === "form.change") {
      const { change } = event as unknown as { change: { name?: string; scopes?: string[] } };
      if (change.name === form.name || (change.scopes && Math.abs(change.scopes.length - form.scopes.length) !== 1))
        return false;
    }
    // Refreshes of the list are walked only while no work is pending.
    const isReading = /^reading\.|actor\.listKeys$/.test(event.type);
    const isCurrent = typeof list === "object" && list.shown === "current" && snapshot.context.keys.length === 1;
    return isReading ? work === "resting" && problem === null : isCurrent || work !== "resting";
  },
});
