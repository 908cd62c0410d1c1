import { numberText } from "../kit/format.ts";

/** What the bulk sender says, to the letter. */
export const BULK_TEXTS = {
  nothingToSend: "Please enter a message or select a media file",
  alreadySending: "A bulk message is already being sent. Please wait until it finishes.",
  throttleOutOfRange: "Throttle must be between 0.1 and 10 seconds per message.",
  notQueued: "Failed to queue messages",
  notCancelled: "Failed to cancel job.",
  cancelled: "✅ Bulk job cancelled and deleted.",
  fileTooLarge: "File too large. Max 10MB allowed.",
  notMedia: "Only images and videos can be attached.",
  noLeads: "No Leads In Stage.",
  queuedUnseen: "The bulk message is on its way.",
  cancelledUnseen: "Bulk job cancelled and deleted.",
} as const;

export const tooLongText = (limit: number): string =>
  `Telegram takes ${numberText(limit)} characters at most. Shorten the message.`;

/** Why nothing can be sent to the target: a stage by its name, or the whole system. */
export const noLeadsText = (stageName: string | null): string =>
  stageName === null ? "There are no leads in the system." : `There are no leads in stage "${stageName}".`;
