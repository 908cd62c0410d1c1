export { startWebhookCourier } from "./courier.ts";
export { registerWebhooks } from "./routes.ts";
export { rotateWebhookSecrets } from "./rotate.ts";
export { eraseTold, tidyWebhooks } from "./tidy.ts";
