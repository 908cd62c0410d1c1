import { parse } from "valibot";
import { nullOn } from "../../domain/problem.ts";
import { WebhookDelivery, DeliveryPage, WebhookWithSecret, type Webhook, WebhookList } from "../../domain/webhook.ts";
import type { Http } from "./http.ts";

type Change = { id: string; url?: string; events?: readonly string[]; enabled?: boolean };

/** `/webhooks`: receivers of events, and their deliveries. */
export const createWebhooksGateway = (http: Http) => {
  const pathOf = (id: string) => `/webhooks/${encodeURIComponent(id)}`;
  return {
    list: async (signal: AbortSignal): Promise<Webhook[]> => parse(WebhookList, await http("/webhooks", { signal })),
    /** The only response that holds the signing secret. */
    add: async ({ url, events }: { url: string; events: readonly string[] }) =>
      parse(WebhookWithSecret, await http("/webhooks", { method: "POST", body: { url, events }, once: true })),
    /** Changes the given fields; enabling clears the reason for which it was disabled. */
    change: ({ id, ...body }: Change) => http(pathOf(id), { method: "PATCH", body }),
    /** A webhook that no longer exists counts as deleted. */
    remove: async ({ id }: { id: string }): Promise<void> => {
      await http(pathOf(id), { method: "DELETE" }).catch(nullOn(404));
    },
    /** A page of deliveries, newest first, after `before`; null if the webhook does not exist. */
    listDeliveries: (
      { id, ...query }: { id: string; before: string | null; limit: number },
      signal: AbortSignal,
    ): Promise<DeliveryPage | null> =>
      http(`${pathOf(id)}/deliveries`, { query, signal }).then((answer) => parse(DeliveryPage, answer), nullOn(404)),
    /** Sends the same event again; resolves to the pending delivery. */
    replay: async ({ id, delivery }: { id: string; delivery: string }): Promise<WebhookDelivery> =>
      parse(
        WebhookDelivery,
        await http(`${pathOf(id)}/deliveries/${encodeURIComponent(delivery)}/replay`, { method: "POST", once: true }),
      ),
    /** Sends a test event; resolves to its delivery. */
    test: async ({ id }: { id: string }): Promise<WebhookDelivery> =>
      parse(WebhookDelivery, await http(`${pathOf(id)}/test`, { method: "POST", once: true })),
  };
};
