import type { Webhook } from "../../domain/webhook.ts";
import { createWebhooks } from "../../src/machines/webhooks/webhooks.machine.ts";
import { done, failed, failedWrites, modelOf, offline, refusedWith } from "../support/model.ts";
import { fakePage } from "../support/page.ts";

const webhooksMachine = createWebhooks(fakePage(), { onChanged: () => () => {} });

export const hook: Webhook = {
  id: "5b7a0c7e-4c0e-4d0c-9f0a-1d6f6f6b1b01",
  url: "https://n8n.example.com/hook",
  events: ["message.received"],
  enabled: true,
  disabled_reason: null,
  created_at: "2026-03-05T10:00:00Z",
};
export const dead: Webhook = {
  ...hook,
  id: "5b7a0c7e-4c0e-4d0c-9f0a-1d6f6f6b1b02",
  url: "https://old.example.com/hook",
  enabled: false,
  disabled_reason: "It did not answer for three days.",
};
export const SECRET = "whsec_what-signs-the-deliveries";

export const refusedFields = { url: "Must be a public address.", events: "Choose at least one." };
export const refusal = refusedWith(422, { message: "The webhook cannot be saved so.", fields: refusedFields });

export const webhooksModel = modelOf(webhooksMachine, {
  unreported: ["copyText", "askConfirmation"],
  events: [
    { type: "webhook.add", form: { url: "", events: [] } },
    { type: "webhook.edit", id: hook.id, form: { url: hook.url, events: hook.events } },
    { type: "webhook.switch", id: hook.id },
    { type: "webhook.switch", id: dead.id },
    { type: "webhook.delete", id: hook.id },
    { type: "form.change", change: { url: "https://make.example.com" } },
    { type: "form.change", change: { events: ["message.received"] } },
    { type: "secret.copy", what: "secret" },
    ...done("listWebhooks", [hook, dead]),
    ...done("saveWebhook", { secret: SECRET }, { secret: null }),
    ...failed("saveWebhook", offline, refusal),
    ...done("askConfirmation", true, false),
    ...failedWrites("switchWebhook", "removeWebhook"),
  ],
  allow: (snapshot, event) => {
    const { list, work } = snapshot.value as { list: string | { shown: string }; work: string };
    const { form, active, problem, webhooks } = snapshot.context;
    // An equal value is no change.
    if (event.type === "form.change") {
      const { change } = event as unknown as { change: { url?: string; events?: string[] } };
      if (change.url === form.url || change.events?.length === form.events.length) return false;
    }
    // Only the response for a new webhook contains a secret.
    const { output } = event as { output?: { secret?: string | null } };
    if (event.type === "xstate.done.actor.saveWebhook" && (output?.secret === null) !== (active !== null)) return false;
    // Refreshes of the list are walked only while no work is pending.
    const isReading = /^reading\.|actor\.listWebhooks$/.test(event.type);
    const isCurrent = typeof list === "object" && list.shown === "current" && webhooks.length === 2;
    return isReading ? work === "resting" && problem === null : isCurrent || work !== "resting";
  },
});
