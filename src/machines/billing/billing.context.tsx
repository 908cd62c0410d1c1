import { createMachineContext } from "../kit/context.tsx";
import { billingMachine } from "./billing.machine.ts";

const Billing = createMachineContext(billingMachine, (billing) => ({
  openCheckout: () => billing.send({ type: "checkout.open" }),
  openPortal: () => billing.send({ type: "portal.open" }),
}));

export const BillingProvider = Billing.Provider;
export const useBilling = Billing.use;
/** What a person can do on the billing screen. */
export const useBillingEvents = Billing.useVerbs;
