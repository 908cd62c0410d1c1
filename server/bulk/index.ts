export { registerBulk } from "./routes.ts";
