import { createBilling } from "../../src/machines/billing/billing.machine.ts";
import { done, modelOf } from "../support/model.ts";
import { fakePage } from "../support/page.ts";

const billingMachine = createBilling(fakePage(), { refreshSubscription: async () => {}, openUrl: () => {} });

export const billingModel = modelOf(billingMachine, {
  events: [
    ...done("openCheckout", "https://checkout.stripe.com/c/1", null),
    ...done("openPortal", "https://billing.stripe.com/p/1", null),
  ],
  inputs: [{ isBack: true }, { isBack: false }],
  delays: { departure: 8_000 },
});
