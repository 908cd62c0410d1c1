import { createActorContext } from "@xstate/react";
import { useMemo } from "react";
import { billingMachine } from "./billing.machine.ts";

const Billing = createActorContext(billingMachine);

export const BillingProvider = Billing.Provider;
export const useBilling = Billing.useSelector;

/** What a person can do on the billing screen. */
export function useBillingEvents() {
  const billing = Billing.useActorRef();
  return useMemo(
    () => ({
      openCheckout: () => billing.send({ type: "checkout.open" }),
      openPortal: () => billing.send({ type: "portal.open" }),
    }),
    [billing],
  );
}
