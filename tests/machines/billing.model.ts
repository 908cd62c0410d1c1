import { createBilling } from "../../src/machines/billing/billing.machine.ts";
import { done, failed } from "../support/model-events.ts";
import { fakePage } from "../support/page.ts";
import { type WalkedModel, overPending } from "../support/walk-model.ts";

export const billingMachine = createBilling(fakePage(), { refreshSubscription: async () => {}, openUrl: () => {} });

export const billingModel: WalkedModel = {
  provide: overPending(billingMachine),
  events: [
    ...done("openCheckout", "https://checkout.stripe.com/c/1", null),
    ...done("openPortal", "https://billing.stripe.com/p/1", null),
    ...["openCheckout", "openPortal", "syncSubscription"].flatMap((id) => failed(id)),
  ],
  inputs: [{ isBack: true }, { isBack: false }],
  delays: { departure: 8_000 },
};
