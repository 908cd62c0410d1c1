import { msg, plural } from "@lingui/core/runtime-macro";
import type { BulkTarget } from "../../../domain/bulk-target.ts";
import type { UiText, UiTextOrString } from "../../../domain/ui-text.ts";
import { type FailureText, readFailure } from "../kit/writing.ts";

/** The bulk sender's texts; those of dialogs match the spec to the letter. */
export const BULK_TEXTS = {
  nothingToSend: msg`Please enter a message or select a media file`,
  alreadySending: msg`A bulk message is already being sent. Please wait until it finishes.`,
  throttleOutOfRange: msg`Throttle must be between 0.1 and 10 seconds per message.`,
  notQueued: msg`Failed to queue messages`,
  notCancelled: msg`Failed to cancel job.`,
  cancelled: msg`✅ Bulk job cancelled and deleted.`,
  fileTooLarge: msg`File too large. Max 10MB allowed.`,
  notMedia: msg`Only pictures (PNG, JPEG, GIF, WebP) and videos (MP4, MOV, WebM) can be attached.`,
  noLeads: msg`No Leads In Stage.`,
  queuedUnseen: msg`The bulk message is on its way.`,
  cancelledUnseen: msg`Bulk job cancelled and deleted.`,
} as const;

export const UNKNOWN_STAGE = msg({ message: "Unknown", comment: "In place of the name of a stage." });

/** Failures shown in addition to the spec's alerts. */
export const COUNT_FAILED = readFailure(msg`The leads could not be counted, so nothing was sent. Try again.`);
export const QUEUE_FAILED: FailureText = {
  refused: msg`The messages were not queued.`,
  unknown: msg`The messages may be on their way. If no progress appears here, send again: nothing goes out twice.`,
};
export const CANCEL_FAILED: FailureText = {
  refused: msg`The job was not cancelled. Try again.`,
  unknown: msg`The job may have been cancelled.`,
};
export const CONTINUE_FAILED: FailureText = {
  refused: msg`The job was not continued. Try again.`,
  unknown: msg`The job may have been continued.`,
};

export const tooLongText = (limit: number): UiText =>
  msg`Telegram takes ${plural({ limit }, { one: "# character", other: "# characters" })} at most. Shorten the message.`;

/** Replaces the spec's text if no stage was chosen. */
export const NONE_CHOSEN = msg`None of the leads chosen in the list is left. Choose them there again, or a stage here.`;

/** Describes the recipients; `count` is null until it is known. */
export function recipientsText(target: BulkTarget, stageName: UiTextOrString | null, count: number | null): UiText {
  if (target.kind === "leads")
    return count === null
      ? msg`One message to exactly the leads ticked in the list.`
      : msg`One message to exactly the ${plural({ count }, { one: "# lead", other: "# leads" })} ticked in the list.`;
  if (target.kind === "query")
    return count === null
      ? msg`One message to the leads that the list's filters let through.`
      : msg`One message to the ${plural({ count }, { one: "# lead", other: "# leads" })} that the list's filters let through.`;
  if (target.stageId === "") return msg`One message to every lead, in all stages.`;
  return stageName === null
    ? msg`One message to all leads of one stage.`
    : msg`One message to all leads in “${{ stageName }}”.`;
}

/** Why nothing can be sent to the target: to a stage by its name, or to all. */
export const noLeadsText = (stageName: UiTextOrString | null): UiText =>
  stageName === null ? msg`There are no leads in the system.` : msg`There are no leads in stage "${{ stageName }}".`;
