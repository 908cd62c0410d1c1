import { createMachineContext } from "../kit/context.tsx";
import { webhookDeliveriesMachine } from "./webhook-deliveries.machine.ts";

const Deliveries = createMachineContext(webhookDeliveriesMachine, (chart) => ({
  retry: () => chart.send({ type: "reading.retry" }),
  open: (id: string) => chart.send({ type: "delivery.open", id }),
  close: () => chart.send({ type: "delivery.close" }),
  replay: (id: string) => chart.send({ type: "delivery.replay", id }),
  test: () => chart.send({ type: "webhook.test" }),
  enable: () => chart.send({ type: "webhook.enable" }),
  loadOlder: () => chart.send({ type: "older.load" }),
}));

export const WebhookDeliveriesProvider = Deliveries.Provider;
export const useDeliveries = Deliveries.use;
export const useCanDeliveries = Deliveries.useCan;
/** What a person can do with what a webhook was sent. */
export const useDeliveriesEvents = Deliveries.useVerbs;
