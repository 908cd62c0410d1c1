export { eraseDeletedParts } from "./soft-delete.ts";
export { registerCrm } from "./routes.ts";
