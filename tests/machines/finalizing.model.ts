import { createFinalizing } from "../../src/machines/finalizing/finalizing.machine.ts";
import { fakePage } from "../support/page.ts";
import { done, modelOf } from "../support/model.ts";

const finalizingMachine = createFinalizing(fakePage(), { openBilling: () => {} });

export const finalizingModel = modelOf(finalizingMachine, {
  events: [...done("confirmCheckout", "active"), ...done("syncSubscription", "active")],
  inputs: [{ sessionId: "cs_test_1" }, { sessionId: "" }],
  delays: { confirmLimit: 5_000, syncLimit: 4_000, patience: 8_000 },
});
