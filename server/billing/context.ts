import { Stripe } from "stripe";
import type { Deps } from "../core/deps.ts";

/** The dependencies of billing. It talks to Stripe's SDK only; whether Stripe or the simulated provider answers is decided at startup. */
export type Billing = { deps: Deps; stripe: Stripe; priceId: string };

export type SimulatedProvider = { host: string; port: number; priceId: string };

/** Timeout of a call to the provider. Two calls fit into the time that the browser waits. */
const CALL_TIMEOUT_MS = 2_000;

/**
 * Sets up billing with Stripe, or with the simulated provider if the configuration says so.
 * @throws if a simulated provider is configured and was not started
 */
export function createBilling(deps: Deps, simulated: SimulatedProvider | null): Billing {
  const { billing } = deps.config;
  const settings = { telemetry: false, maxNetworkRetries: 1, timeout: CALL_TIMEOUT_MS } as const;
  if (billing.kind === "stripe")
    return { deps, stripe: new Stripe(billing.secretKey, settings), priceId: billing.priceId };
  if (simulated === null) throw new Error("Billing is simulated, but the simulated card provider was not started.");
  const { host, port, priceId } = simulated;
  return { deps, stripe: new Stripe("sk_test_simulated", { ...settings, host, port, protocol: "http" }), priceId };
}
