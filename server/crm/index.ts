export { eraseDeletedParts } from "./kept.ts";
export { registerCrm } from "./routes.ts";
