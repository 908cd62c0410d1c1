export { coldSentToday } from "./cold.ts";
export { eraseFromDigests } from "./digest.ts";
export {
  enqueue,
  enqueueOne,
  enqueueTargets,
  findRequested,
  wakeSender,
  type Enqueued,
  type Outgoing,
} from "./enqueue.ts";
export { eraseSends } from "./erase.ts";
export { holdSends, holdSendsOfAll, keepSends, withdrawSteps, withdrawStepsOfAll } from "./entry.ts";
export { EXCERPT_CHARS, foldSettled } from "./fold.ts";
export { withdrawTargets } from "./job-counts.ts";
export {
  followupSpread,
  keepOutboxKey,
  randomIdOf,
  reminderSpread,
  spreadOfId,
  sqlNameOf,
  type OutboxKey,
} from "./names.ts";
export type { Recipient, SenderAccount, SendPort, SentMessage, StoredMedia } from "./port.ts";
export { findMisjudged, forgetMisjudged, healReach } from "./reach.ts";
export { startSender } from "./sender.ts";
export { createWakes, type Wakes } from "./wakes.ts";
export { withdrawReminders } from "./withdraw.ts";
