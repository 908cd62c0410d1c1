export { startEraser } from "./erase.ts";
export { restoreExcluded, excludeLeads } from "./exclude.ts";
export { registerExclusions } from "./routes.ts";
