import { notProvided } from "../kit/not-provided.ts";
import type { Logger } from "../kit/reporting.ts";
import { type Notifier, alerting } from "../kit/speaking.ts";
import { writing } from "../kit/writing.ts";

/** Delivered, or refused by the server with its reason when it gave one. No answer at all rejects. */
export type SendOutcome = { kind: "sent" } | { kind: "refused"; reason: string | null };

/** Writes of one lead. They take no signal: a person who leaves the screen must not lose them. */
export type LeadRowGateway = {
  saveNotes(input: { leadId: string; notes: string }): Promise<void>;
  /** Moves the lead and resets its follow-ups. */
  changeStage(input: { leadId: string; stageId: string }): Promise<void>;
  /** Takes the newest move back, within a minute: the lead is where it was, with the follow-ups it had got. */
  undoStage(input: { leadId: string }): Promise<void>;
  sendFollowup(input: { leadId: string }): Promise<SendOutcome>;
};

/** Notes that have not reached the server, kept over reloads. */
export type NotesDrafts = {
  read(leadId: string): string | null;
  keep(leadId: string, notes: string): void;
  /** Forgets the draft once exactly this text is saved. */
  settle(leadId: string, notes: string): void;
};

export type LeadRowDeps = {
  leads: LeadRowGateway;
  drafts: NotesDrafts;
  notifier: Pick<Notifier, "toast" | "warn" | "alert">;
  logger: Logger;
};

export const placeholderActors = {
  saveNotes: notProvided<void, { leadId: string; notes: string }>("saveNotes"),
  changeStage: notProvided<void, { leadId: string; stageId: string }>("changeStage"),
  sendFollowup: notProvided<SendOutcome, { leadId: string }>("sendFollowup"),
  showAlert: notProvided<void, { message: string }>("showAlert"),
};

export const createLeadRowActors = ({ leads, drafts, notifier, logger }: LeadRowDeps) => ({
  saveNotes: savingNotes({ leads, drafts, notifier, logger }),
  changeStage: writing<void, { leadId: string; stageId: string }>(
    { notifier, logger },
    (input) => leads.changeStage(input),
    { done: "Lead stage updated", failed: "Failed to update stage" },
  ),
  sendFollowup: writing<SendOutcome, { leadId: string }>({ notifier, logger }, (input) => leads.sendFollowup(input), {
    done: (outcome) =>
      outcome.kind === "sent" ? "Follow-up sent!" : { failed: `Failed to send. ${outcome.reason ?? ""}`.trim() },
    failed: "Error occurred. It is not known whether the follow-up was sent.",
  }),
  showAlert: alerting(notifier),
});

/** Saves a note; one that was typed during the save of a row that is gone by now goes after it. */
function savingNotes({ leads, drafts, ...page }: LeadRowDeps) {
  const failed = "A note was not saved. It is kept on the leads screen: try again there.";
  const save = async ({ leadId, notes }: { leadId: string; notes: string }) => {
    drafts.keep(leadId, notes);
    await leads.saveNotes({ leadId, notes });
    drafts.settle(leadId, notes);
  };
  const saveRest = async (leadId: string): Promise<void> => {
    const notes = drafts.read(leadId);
    if (notes === null) return;
    try {
      await save({ leadId, notes });
    } catch (error) {
      page.logger.warn(failed, error);
      page.notifier.warn(failed);
    }
  };
  return writing<void, { leadId: string; notes: string }>(page, save, {
    done(_output, { leadId }) {
      void saveRest(leadId);
      return null;
    },
    failed,
  });
}
