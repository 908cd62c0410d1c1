export { startEraser } from "./erase.ts";
export { bringBack, excludeLeads, withoutExcluded } from "./exclude.ts";
export { registerExclusions } from "./routes.ts";
