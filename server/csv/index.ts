export { forgetImports } from "./import.ts";
export { registerCsv } from "./routes.ts";
