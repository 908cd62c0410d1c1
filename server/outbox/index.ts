export { coldSentToday, wakeSender } from "./enqueue.ts";
export { withdrawTargets } from "./job-counts.ts";
export type { Recipient, SenderAccount, SendPort, SentMessage, StoredMedia } from "./port.ts";
export { createRandomIds, dedupeKeys, type RandomIds } from "./random-id.ts";
export { startSender } from "./sender.ts";
