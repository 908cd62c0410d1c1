export { recordAbsence, endAbsence } from "./away.ts";
export { registerBulk } from "./routes.ts";
