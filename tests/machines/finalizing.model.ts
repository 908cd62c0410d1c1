import { createFinalizing } from "../../src/machines/finalizing/finalizing.machine.ts";
import { fakePage } from "../support/page.ts";
import { done, failed } from "../support/model-events.ts";
import { type WalkedModel, overPending } from "../support/walk-model.ts";

export const finalizingMachine = createFinalizing(fakePage(), { openBilling: () => {} });

export const finalizingModel: WalkedModel = {
  provide: overPending(finalizingMachine),
  events: [
    ...done("confirmCheckout", "active"),
    ...failed("confirmCheckout", new Error("409")),
    ...done("syncSubscription", "active"),
    ...failed("syncSubscription", new Error("503")),
  ],
  inputs: [{ sessionId: "cs_test_1" }, { sessionId: "" }],
  delays: { confirmLimit: 5_000, syncLimit: 4_000, patience: 8_000 },
};
