import * as v from "valibot";
import { BillingStatus, BillingUrl } from "../../domain/subscription.ts";
import type { Http } from "./http.ts";

/** Billing calls. They work without a subscription. */
export const createBillingGateway = (http: Http) => ({
  async openCheckout(signal: AbortSignal): Promise<string> {
    return v.parse(BillingUrl, await http("/billing/checkout", { method: "POST", signal })).url;
  },
  async openPortal(signal: AbortSignal): Promise<string> {
    return v.parse(BillingUrl, await http("/billing/portal", { method: "POST", signal })).url;
  },
  /** Asks the server to refresh the subscription; resolves to its status. */
  async sync(): Promise<string | null> {
    return v.parse(BillingStatus, await http("/billing/sync", { method: "POST" })).status;
  },
  /** Asks the server to complete a paid checkout; resolves to the subscription's status. */
  async confirm({ sessionId }: { sessionId: string }): Promise<string | null> {
    const answer = await http("/billing/confirm", { method: "POST", body: { session_id: sessionId } });
    return v.parse(BillingStatus, answer).status;
  },
});
