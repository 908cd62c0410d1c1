export { startFileService } from "./file-service.ts";
export { type RecordChat, startChatImport } from "./import-runner.ts";
export { startPeerRecovery } from "./peer-recovery.ts";
export { startReadReceipts } from "./receipts.ts";
export { registerConversation } from "./routes.ts";
