export { registerConversation } from "./routes.ts";
