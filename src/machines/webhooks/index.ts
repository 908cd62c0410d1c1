import { createReporter } from "../kit/reporting.ts";
import { type WebhooksDeps, createWebhooksActors } from "./webhooks.actors.ts";
import { webhooksMachine } from "./webhooks.machine.ts";

/** Webhooks over a gateway. */
export const createWebhooks = (deps: WebhooksDeps) =>
  webhooksMachine.provide({
    actors: createWebhooksActors(deps),
    actions: {
      announceDeleted: () => deps.notifier.toast("The webhook was deleted."),
      reportFailure: createReporter(deps.logger),
    },
  });

export type { WebhooksDeps, WebhooksGateway } from "./webhooks.actors.ts";
export { WebhooksProvider, useCanWebhooks, useWebhooks, useWebhooksEvents } from "./webhooks.context.tsx";
export { BLANK_WEBHOOK, webhooksMachine } from "./webhooks.machine.ts";
export * from "./webhooks.selectors.ts";
