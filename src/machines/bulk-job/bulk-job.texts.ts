import { leadsText, numberText } from "../kit/format.ts";

/** What the bulk sender says: what is shown in a dialog to the letter. */
export const BULK_TEXTS = {
  nothingToSend: "Please enter a message or select a media file",
  alreadySending: "A bulk message is already being sent. Please wait until it finishes.",
  throttleOutOfRange: "Throttle must be between 0.1 and 10 seconds per message.",
  notQueued: "Failed to queue messages",
  notCounted: "Whom it would reach could not be counted, so nothing was sent. Try again.",
  unanswered: "It may be on its way all the same: see whether its progress appears here before you send it again.",
  notCancelled: "Failed to cancel job.",
  notContinued: "The bulk message was not continued",
  cancelled: "✅ Bulk job cancelled and deleted.",
  fileTooLarge: "File too large. Max 10MB allowed.",
  notMedia: "Only pictures (PNG, JPEG, GIF, WebP) and videos (MP4, MOV, WebM) can be attached.",
  noLeads: "No Leads In Stage.",
  queuedUnseen: "The bulk message is on its way.",
  cancelledUnseen: "Bulk job cancelled and deleted.",
} as const;

export const tooLongText = (limit: number): string =>
  `Telegram takes ${numberText(limit)} characters at most. Shorten the message.`;

/** In place of the spec's words where no stage was chosen. */
export const NONE_CHOSEN = "None of the leads chosen in the list is left. Choose them there again, or a stage here.";

/** Whom the message is for; `count` is null while it is not known. */
export function whomText(target: string, stageName: string | null, count: number | null): string {
  const these = count === null ? "the leads" : count === 1 ? "the 1 lead" : `the ${leadsText(count)}`;
  if (target.startsWith("#")) return `One message to exactly ${these} ticked in the list.`;
  if (target.startsWith("?")) return `One message to ${these} that the list's filters let through.`;
  if (target === "") return "One message to every lead, in all stages.";
  return stageName === null ? "One message to all leads of one stage." : `One message to all leads in “${stageName}”.`;
}

/** Why nothing can be sent to the target: a stage by its name, or the whole system. */
export const noLeadsText = (stageName: string | null): string =>
  stageName === null ? "There are no leads in the system." : `There are no leads in stage "${stageName}".`;
