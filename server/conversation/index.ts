export { startFileService } from "./file-service.ts";
export { registerConversation } from "./routes.ts";
