export { registerLedger } from "./routes.ts";
