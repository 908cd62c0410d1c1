export { noteAway, noteReturn } from "./away.ts";
export { registerBulk } from "./routes.ts";
