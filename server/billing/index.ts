export { createBilling, type Billing, type SimulatedProvider } from "./context.ts";
export { customerOfEmail } from "./customer.ts";
export { createSubscriptionGate, type SubscriptionGate } from "./gate.ts";
export { endSubscriptions } from "./leave.ts";
export { unknownShare } from "./own-account.ts";
export { reconcile, startBilling } from "./reconcile.ts";
export { registerBilling } from "./routes.ts";
