import * as v from "valibot";
import { readProblem } from "../core/field-problem.ts";
import { Id } from "../../domain/schema-parts.ts";
import {
  DeliveriesQuery,
  DeliveryId,
  DeliveryPage,
  Webhook,
  WebhookCreate,
  WebhookDelivery,
  WebhookList,
  WebhookWithSecret,
  WebhookPatch,
} from "../../domain/webhook.ts";
import type { Deps } from "../core/deps.ts";
import { invalidFields } from "../core/problem.ts";
import { keyedRequestOf } from "../core/request-keys.ts";
import type { Route } from "../core/routes.ts";
import { createVault } from "../core/vault.ts";
import { readAddress, RefusedAddress } from "./address.ts";
import {
  addWebhook,
  changeWebhook,
  listDeliveries,
  listWebhooks,
  removeWebhook,
  replayDelivery,
  testWebhook,
} from "./repository.ts";

const ById = v.strictObject({ id: Id });
const ByDelivery = v.strictObject({ id: Id, delivery: DeliveryId });

/** `/api/webhooks`: webhooks and their events, their deliveries, and redelivery. */
export function registerWebhooks(route: Route, deps: Deps): void {
  const { db, config } = deps;
  const vault = createVault(config.encryptionKeys);
  const shared = { tag: "Webhooks", gate: "subscribed" } as const;
  const checkAddress = (url: string | undefined): void => {
    try {
      if (url !== undefined) readAddress(url, config.webhookAllowPrivate);
    } catch (error) {
      if (error instanceof RefusedAddress) {
        const { message, code, params } = readProblem(error.reason);
        throw invalidFields([{ field: "url", code, params }], { url: message });
      }
      throw error;
    }
  };
  route({
    ...shared,
    scope: "read",
    method: "GET",
    url: "/api/webhooks",
    id: "listWebhooks",
    summary: "List webhooks",
    answer: WebhookList,
    handler: ({ caller }) => listWebhooks(db, caller.id),
  });
  route({
    ...shared,
    scope: "write",
    method: "POST",
    url: "/api/webhooks",
    id: "addWebhook",
    refuses: { 409: ["too_many_webhooks"] },
    summary: "Add a webhook; at most 10. Only the response has the secret with which receivers verify signatures",
    description:
      "A repeated Idempotency-Key adds no second webhook: it returns the same one with a new secret, and revokes the first secret.",
    takesKey: true,
    status: 201,
    body: WebhookCreate,
    answer: WebhookWithSecret,
    handler: ({ caller, body, request }) => {
      checkAddress(body.url);
      return addWebhook(deps, vault, body, keyedRequestOf(deps, caller, request, "webhook", JSON.stringify(body)));
    },
  });
  route({
    ...shared,
    scope: "write",
    method: "PATCH",
    url: "/api/webhooks/:id",
    id: "changeWebhook",
    summary: "Change a webhook, or switch it off and on; events are not stored while it is off",
    params: ById,
    body: WebhookPatch,
    answer: Webhook,
    handler: ({ caller, params, body }) => {
      checkAddress(body.url);
      return changeWebhook(deps, { ownerId: caller.id, id: params.id }, body);
    },
  });
  route({
    ...shared,
    gate: "signedIn",
    scope: "write",
    method: "DELETE",
    url: "/api/webhooks/:id",
    id: "deleteWebhook",
    summary: "Delete a webhook",
    params: ById,
    handler: ({ caller, params }) => removeWebhook(deps, { ownerId: caller.id, id: params.id }),
  });
  route({
    ...shared,
    scope: "read",
    method: "GET",
    url: "/api/webhooks/:id/deliveries",
    id: "listDeliveries",
    summary: "List a webhook's deliveries, newest first; they are kept for 30 days",
    params: ById,
    query: DeliveriesQuery,
    answer: DeliveryPage,
    handler: ({ caller, params, query }) => listDeliveries(db, { ownerId: caller.id, id: params.id }, query),
  });
  route({
    ...shared,
    scope: "write",
    method: "POST",
    url: "/api/webhooks/:id/deliveries/:delivery/replay",
    id: "replayDelivery",
    refuses: { 409: ["webhook_disabled"] },
    summary: "Deliver an event again, under the same webhook-id",
    takesKey: true,
    status: 202,
    params: ByDelivery,
    answer: WebhookDelivery,
    handler: ({ caller, params: { id, delivery }, request }) =>
      replayDelivery(deps, { id, deliveryId: delivery }, keyedRequestOf(deps, caller, request, "replay", id, delivery)),
  });
  route({
    ...shared,
    scope: "write",
    method: "POST",
    url: "/api/webhooks/:id/test",
    id: "testWebhook",
    refuses: { 409: ["webhook_disabled"] },
    summary: "Deliver a test event (webhook.test), to check that the receiver responds",
    takesKey: true,
    status: 202,
    params: ById,
    answer: WebhookDelivery,
    handler: ({ caller, params: { id }, request }) =>
      testWebhook(deps, id, keyedRequestOf(deps, caller, request, "webhook test", id)),
  });
}
