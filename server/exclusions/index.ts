export { startEraser } from "./erase.ts";
export { bringBack, excludeLeads } from "./exclude.ts";
export { registerExclusions } from "./routes.ts";
