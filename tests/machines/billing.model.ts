import { billingMachine } from "../../src/machines/billing/index.ts";
import { type WalkedModel, overPending } from "../support/walk-model.ts";

export const billingModel: WalkedModel = {
  provide: overPending(billingMachine),
  events: [
    { type: "xstate.done.actor.openCheckout", output: "https://checkout.stripe.com/c/1" },
    { type: "xstate.done.actor.openCheckout", output: null },
    { type: "xstate.error.actor.openCheckout", error: new Error("503") },
    { type: "xstate.done.actor.openPortal", output: "https://billing.stripe.com/p/1" },
    { type: "xstate.done.actor.openPortal", output: null },
    { type: "xstate.error.actor.openPortal", error: new Error("503") },
    { type: "xstate.error.actor.syncSubscription", error: new Error("503") },
  ],
  inputs: [{ isBack: true }, { isBack: false }],
  delays: { departure: 8_000 },
};
