import { createReporter } from "../kit/reporting.ts";
import { type WebhookDeliveriesDeps, createWebhookDeliveriesActors } from "./webhook-deliveries.actors.ts";
import { webhookDeliveriesMachine } from "./webhook-deliveries.machine.ts";

/** One webhook's deliveries over a gateway. */
export const createWebhookDeliveries = (deps: WebhookDeliveriesDeps) =>
  webhookDeliveriesMachine.provide({
    actors: createWebhookDeliveriesActors(deps),
    actions: {
      announce: (_, { words }) => deps.notifier.toast(words),
      reportFailure: createReporter(deps.logger),
    },
  });

export type { WebhookDeliveriesDeps, WebhookDeliveriesGateway } from "./webhook-deliveries.actors.ts";
export {
  WebhookDeliveriesProvider,
  useCanDeliveries,
  useDeliveries,
  useDeliveriesEvents,
} from "./webhook-deliveries.context.tsx";
export { webhookDeliveriesMachine } from "./webhook-deliveries.machine.ts";
export * from "./webhook-deliveries.selectors.ts";
