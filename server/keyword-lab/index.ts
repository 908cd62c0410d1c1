export { registerKeywordLab } from "./routes.ts";
