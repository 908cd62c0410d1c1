export { createBilling, type Billing } from "./context.ts";
export { customerOfEmail } from "./customer.ts";
export { createSubscriptionGate } from "./gate.ts";
export { endSubscriptions } from "./leave.ts";
export { unknownShare } from "./own-account.ts";
export { reconcile, startBilling } from "./reconcile.ts";
export { registerBilling } from "./routes.ts";
