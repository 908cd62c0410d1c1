import type { BulkTarget } from "../../../domain/bulk-target.ts";
import { type FailureText, readFailure } from "../kit/failed.ts";
import { leadsText, numberText } from "../../language/format.ts";

/** What the bulk sender says: what is shown in a dialog to the letter. */
export const BULK_TEXTS = {
  nothingToSend: "Please enter a message or select a media file",
  alreadySending: "A bulk message is already being sent. Please wait until it finishes.",
  throttleOutOfRange: "Throttle must be between 0.1 and 10 seconds per message.",
  notQueued: "Failed to queue messages",
  notCancelled: "Failed to cancel job.",
  cancelled: "✅ Bulk job cancelled and deleted.",
  fileTooLarge: "File too large. Max 10MB allowed.",
  notMedia: "Only pictures (PNG, JPEG, GIF, WebP) and videos (MP4, MOV, WebM) can be attached.",
  noLeads: "No Leads In Stage.",
  queuedUnseen: "The bulk message is on its way.",
  cancelledUnseen: "Bulk job cancelled and deleted.",
} as const;

/** Failures told beside the spec's alerts. */
export const COUNT_FAILED = readFailure("The leads could not be counted, so nothing was sent. Try again.");
export const QUEUE_FAILED: FailureText = {
  refused: "The messages were not queued.",
  unknown: "The messages may be on their way. If no progress appears here, send again: nothing goes out twice.",
};
export const CANCEL_FAILED: FailureText = {
  refused: "The job was not cancelled. Try again.",
  unknown: "The job may have been cancelled.",
};
export const CONTINUE_FAILED: FailureText = {
  refused: "The job was not continued. Try again.",
  unknown: "The job may have been continued.",
};

export const tooLongText = (limit: number): string =>
  `Telegram takes ${numberText(limit)} characters at most. Shorten the message.`;

/** In place of the spec's words where no stage was chosen. */
export const NONE_CHOSEN = "None of the leads chosen in the list is left. Choose them there again, or a stage here.";

/** Whom the message is for; `count` is null while it is not known. */
export function whomText(target: BulkTarget, stageName: string | null, count: number | null): string {
  const these = count === null ? "the leads" : count === 1 ? "the 1 lead" : `the ${leadsText(count)}`;
  if (target.kind === "leads") return `One message to exactly ${these} ticked in the list.`;
  if (target.kind === "query") return `One message to ${these} that the list's filters let through.`;
  if (target.stageId === "") return "One message to every lead, in all stages.";
  return stageName === null ? "One message to all leads of one stage." : `One message to all leads in “${stageName}”.`;
}

/** Why nothing can be sent to the target: a stage by its name, or the whole system. */
export const noLeadsText = (stageName: string | null): string =>
  stageName === null ? "There are no leads in the system." : `There are no leads in stage "${stageName}".`;
