export { bearsKey, createKeyAuthenticator } from "./authenticate.ts";
export { registerKeyLimits } from "./limits.ts";
export { registerKeys } from "./routes.ts";
