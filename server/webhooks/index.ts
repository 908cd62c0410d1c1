export { startWebhookCourier } from "./courier.ts";
export { registerWebhooks } from "./routes.ts";
export { rotateWebhookSecrets } from "./rotate.ts";
export { dropExpiredDeliveries, eraseTold, tidyWebhooks } from "./tidy.ts";
