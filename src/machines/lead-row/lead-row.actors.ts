import { notProvided } from "../kit/not-provided.ts";
import type { Logger } from "../kit/reporting.ts";
import { type Notifier, alerting, confirming } from "../kit/speaking.ts";
import { writing } from "../kit/writing.ts";
import { type FailureText, failureMessage } from "../kit/failed.ts";

/** Delivered, or refused by the server with its reason when it gave one. An unknown outcome rejects. */
export type SendOutcome = { kind: "sent" } | { kind: "refused"; reason: string | null };

/** Writes of one lead. They take no signal: a person who leaves the screen must not lose them. */
export type LeadRowGateway = {
  /** Saves notes that were typed over others; answers those that stand there now, with what somebody else added meanwhile. */
  saveNotes(input: NotesDraft & { leadId: string; over: string }): Promise<string>;
  /** Moves the lead and resets its follow-ups. */
  changeStage(input: { leadId: string; stageId: string }): Promise<void>;
  /** Takes the newest move back, within a minute: the lead is where it was, with the follow-ups it had got. */
  undoStage(input: { leadId: string }): Promise<void>;
  /** Sends the next follow-up. `step` is the one that the user saw: a retry for the same one never sends another. */
  sendFollowup(input: { leadId: string; step: string }): Promise<SendOutcome>;
};

/** Notes as typed, and those that they were typed over; null where that is not known. */
export type NotesDraft = { notes: string; over: string | null };

/** Notes that have not reached the server, kept over reloads. */
export type NotesDrafts = {
  read(leadId: string): NotesDraft | null;
  keep(leadId: string, draft: NotesDraft & { over: string }): void;
  /** Forgets the draft once exactly this text is saved. */
  settle(leadId: string, notes: string): void;
};

export type LeadRowDeps = {
  leads: LeadRowGateway;
  drafts: NotesDrafts;
  notifier: Pick<Notifier, "toast" | "warn" | "alert" | "confirm">;
  logger: Logger;
};

export const MOVE_FAILED: FailureText = {
  refused: "The lead was not moved. Choose again.",
  unknown: "The lead may have been moved.",
};

export const SEND_FAILED: FailureText = {
  refused: "Failed to send.",
  unknown: "The follow-up may have been sent. Sending again does not send it twice.",
};
const NOTE_FAILED: FailureText = {
  refused: "A note was not saved. It is kept on the leads screen: try again there.",
  unknown: "A note may not have been saved. It is kept on the leads screen: try again there.",
};

export const placeholderActors = {
  saveNotes: notProvided<string, { leadId: string; notes: string; over: string }>("saveNotes"),
  changeStage: notProvided<void, { leadId: string; stageId: string }>("changeStage"),
  sendFollowup: notProvided<SendOutcome, { leadId: string; step: string }>("sendFollowup"),
  showAlert: notProvided<void, { message: string }>("showAlert"),
  askConfirmation: notProvided<boolean, { message: string }>("askConfirmation"),
};

export const createLeadRowActors = ({ leads, drafts, notifier, logger }: LeadRowDeps) => ({
  saveNotes: savingNotes({ leads, drafts, notifier, logger }),
  changeStage: writing<void, { leadId: string; stageId: string }>(
    { notifier, logger },
    (input) => leads.changeStage(input),
    {
      done: "Lead stage updated",
      failed: MOVE_FAILED,
    },
  ),
  sendFollowup: writing<SendOutcome, { leadId: string; step: string }>(
    { notifier, logger },
    (input) => leads.sendFollowup(input),
    {
      done: (outcome) =>
        outcome.kind === "sent" ? "Follow-up sent!" : { failed: `Failed to send. ${outcome.reason ?? ""}`.trim() },
      failed: SEND_FAILED,
    },
  ),
  showAlert: alerting(notifier),
  askConfirmation: confirming(notifier),
});

/** Saves a note; one that was typed during the save of a row that is gone by now goes after it. */
function savingNotes({ leads, drafts, ...page }: LeadRowDeps) {
  type Typed = { leadId: string; notes: string; over: string };
  const save = async ({ leadId, ...draft }: Typed): Promise<string> => {
    drafts.keep(leadId, draft);
    const saved = await leads.saveNotes({ leadId, ...draft });
    drafts.settle(leadId, draft.notes);
    return saved;
  };
  const saveRest = async ({ leadId, notes: over }: Typed): Promise<void> => {
    const rest = drafts.read(leadId);
    if (rest === null) return;
    try {
      await save({ leadId, notes: rest.notes, over });
    } catch (error) {
      page.logger.warn("a note was not saved", error);
      page.notifier.warn(failureMessage(error, NOTE_FAILED));
    }
  };
  return writing<string, Typed>(page, save, {
    done(_output, typed) {
      void saveRest(typed);
      return null;
    },
    failed: NOTE_FAILED,
  });
}
