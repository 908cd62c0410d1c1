import { createMachineContext } from "../kit/context.tsx";
import type { WebhookForm } from "./webhooks.actors.ts";
import { webhooksMachine } from "./webhooks.machine.ts";

const Webhooks = createMachineContext(webhooksMachine, (chart) => ({
  retry: () => chart.send({ type: "reading.retry" }),
  add: (form: WebhookForm) => chart.send({ type: "webhook.add", form }),
  edit: (id: string, form: WebhookForm) => chart.send({ type: "webhook.edit", id, form }),
  turn: (id: string) => chart.send({ type: "webhook.switch", id }),
  remove: (id: string) => chart.send({ type: "webhook.delete", id }),
  change: (change: Partial<WebhookForm>) => chart.send({ type: "form.change", change }),
  cancel: () => chart.send({ type: "form.cancel" }),
  save: () => chart.send({ type: "form.submit" }),
  copy: (what: string) => chart.send({ type: "secret.copy", what }),
  dismiss: () => chart.send({ type: "secret.dismiss" }),
}));

export const WebhooksProvider = Webhooks.Provider;
export const useWebhooks = Webhooks.use;
export const useCanWebhooks = Webhooks.useCan;
/** What a person can do with webhooks. */
export const useWebhooksEvents = Webhooks.useVerbs;
