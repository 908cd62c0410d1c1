export { bearsKey, createKeyAuthenticator, type KeyAuthenticator } from "./authenticate.ts";
export { registerKeyLimits } from "./limits.ts";
export { registerKeys } from "./routes.ts";
