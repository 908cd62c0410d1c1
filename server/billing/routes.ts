import type { FastifyInstance } from "fastify";
import { BillingConfirm, BillingStatus, BillingUrl } from "../../domain/subscription.ts";
import { notFound, refuse } from "../core/problem.ts";
import type { Route } from "../core/routes.ts";
import { findSession, openCheckout, openPortal } from "./checkout.ts";
import type { Billing } from "./context.ts";
import { fulfil } from "./fulfil.ts";
import { INTERACTIVE_TIMEOUT_MS, withProvider } from "./problems.ts";
import { registerWebhook } from "./webhook.ts";

const tag = "Billing";
const gate = "signedIn";

/** The billing calls and the provider's webhook. They work without a subscription. */
export function registerBilling(route: Route, app: FastifyInstance, billing: Billing): void {
  route({
    method: "POST",
    url: "/api/billing/checkout",
    scope: "person",
    id: "startCheckout",
    summary: "Get the address to subscribe at",
    description: "The provider's portal if there is a subscription.",
    refuses: { 502: ["card_provider_answer"], 503: ["card_provider_away"] },
    tag,
    gate,
    answer: BillingUrl,
    handler: async ({ caller }) => ({
      url: await withProvider(billing, openCheckout(billing, caller), INTERACTIVE_TIMEOUT_MS),
    }),
  });
  route({
    method: "POST",
    url: "/api/billing/portal",
    scope: "person",
    id: "openBillingPortal",
    summary: "Get the address to change the card, cancel, or undo a cancellation",
    refuses: { 409: ["no_customer"], 502: ["card_provider_answer"], 503: ["card_provider_away"] },
    tag,
    gate,
    answer: BillingUrl,
    handler: async ({ caller }) => ({
      url: await withProvider(billing, openPortal(billing, caller.id), INTERACTIVE_TIMEOUT_MS),
    }),
  });
  route({
    method: "POST",
    url: "/api/billing/sync",
    scope: "person",
    id: "syncSubscription",
    summary: "Refresh the subscription from the card provider",
    refuses: { 503: ["card_provider_away"] },
    tag,
    gate,
    answer: BillingStatus,
    handler: async ({ caller }) => ({ status: await withProvider(billing, statusOf(billing, caller.id, "sync")) }),
  });
  route({
    method: "POST",
    url: "/api/billing/confirm",
    scope: "person",
    id: "confirmCheckout",
    summary: "Finish a paid checkout of the caller",
    refuses: { 404: ["not_found"], 409: ["checkout_open"], 503: ["card_provider_away"] },
    tag,
    gate,
    body: BillingConfirm,
    answer: BillingStatus,
    handler: async ({ caller, body }) => ({
      status: await withProvider(billing, confirm(billing, caller.id, body.session_id)),
    }),
  });
  registerWebhook(app, billing);
}

const statusOf = async (billing: Billing, userId: string, cause: string): Promise<string | null> =>
  (await fulfil(billing, userId, cause))?.status ?? null;

async function confirm(billing: Billing, userId: string, sessionId: string): Promise<string | null> {
  const session = await findSession(billing, sessionId);
  if (session === null || session.client_reference_id !== userId) throw notFound();
  if (session.status !== "complete") throw refuse(409, "checkout_open");
  return statusOf(billing, userId, "confirm");
}
