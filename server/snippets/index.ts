export { registerSnippets } from "./routes.ts";
