import { createFinalizing } from "../../src/machines/finalizing/finalizing.machine.ts";
import { fakePage } from "../support/page.ts";
import { type WalkedModel, overPending } from "../support/walk-model.ts";

export const finalizingMachine = createFinalizing(fakePage(), { openBilling: () => {} });

export const finalizingModel: WalkedModel = {
  provide: overPending(finalizingMachine),
  events: [
    { type: "xstate.done.actor.confirmCheckout", output: "active" },
    { type: "xstate.error.actor.confirmCheckout", error: new Error("409") },
    { type: "xstate.done.actor.syncSubscription", output: "active" },
    { type: "xstate.error.actor.syncSubscription", error: new Error("503") },
  ],
  inputs: [{ sessionId: "cs_test_1" }, { sessionId: "" }],
  delays: { confirmLimit: 5_000, syncLimit: 4_000, patience: 8_000 },
};
