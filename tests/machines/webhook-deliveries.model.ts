import type { AnyMachineSnapshot } from "xstate";
import type { WebhookDelivery } from "../../domain/webhook.ts";
import { createWebhookDeliveries } from "../../src/machines/webhook-deliveries/webhook-deliveries.machine.ts";
import { done, failedWrites, modelOf } from "../support/model.ts";
import { fakePage } from "../support/page.ts";
import { dead, hook } from "./webhooks.model.ts";

const webhookDeliveriesMachine = createWebhookDeliveries(fakePage(), { onChanged: () => () => {} });

export const deliveryOf = (number: number, known: Partial<WebhookDelivery> = {}): WebhookDelivery => ({
  id: `d${number}`,
  event: "message.received",
  event_id: `evt_${number}`,
  at: `2026-03-05T10:0${number}:00Z`,
  state: "delivered",
  attempts: 1,
  next_try_at: null,
  status: 200,
  error: null,
  body: '{"type":"message.received","data":{"text":"Hello"}}',
  replay_of: null,
  ...known,
});

const delivered = deliveryOf(2);
const waiting = deliveryOf(3, { state: "pending", attempts: 0, status: null });
const again = deliveryOf(4, { state: "pending", attempts: 0, status: null, replay_of: "d2" });
const read = { webhook: hook, items: [waiting, delivered], next: "d2" };

export const webhookDeliveriesModel = modelOf(webhookDeliveriesMachine, {
  input: { id: hook.id },
  events: [
    { type: "delivery.open", id: "d2" },
    { type: "delivery.replay", id: "d2" },
    { type: "delivery.replay", id: "d3" },
    ...done(
      "fetchDeliveries",
      read,
      { ...read, webhook: { ...dead, id: hook.id } },
      { webhook: null, items: [], next: null },
    ),
    ...done("fetchOlder", { page: { items: [deliveryOf(1)], next: null }, before: "d2" }),
    ...done("replayDelivery", again),
    ...done("sendTest", { ...again, replay_of: null, event: "webhook.test" }),
    ...failedWrites("replayDelivery", "sendTest", "enableWebhook"),
  ],
  // Each region is walked while the others are idle.
  allow: (snapshot: AnyMachineSnapshot, event) => {
    const { type } = event;
    const { list, older, work } = snapshot.value as { list: string | { shown: string }; older: string; work: string };
    const isRead = typeof list === "object" && list.shown === "current";
    const { problem, opened, items } = snapshot.context;
    if (/^reading\.|fetchDeliveries$/.test(type))
      return older === "resting" && work === "resting" && problem === null && opened === null && items.length <= 2;
    if (/^delivery\.(open|close)/.test(type)) return isRead && older === "resting" && work === "resting";
    if (/older|fetchOlder/.test(type)) return isRead && work === "resting" && problem === null && opened === null;
    return older === "resting" && items.length <= 3 && (isRead || work !== "resting");
  },
});
