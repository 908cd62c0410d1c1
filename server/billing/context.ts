import { Stripe } from "stripe";
import type { Deps } from "../core/deps.ts";

/** What every part of billing works with. Billing knows Stripe's SDK alone; who answers at the far end is the start's choice. */
export type Billing = { deps: Deps; stripe: Stripe; priceId: string };

/** Where the simulated provider listens. */
export type SimulatedProvider = { host: string; port: number; priceId: string };

/** A call that has not answered by then is given up; two of them fit into what the browser waits for. */
const CALL_TIMEOUT_MS = 2_000;

/**
 * Opens billing on Stripe, or on the simulated provider when the configuration names it.
 * @throws when the configuration asks for a simulated provider and none was started
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
