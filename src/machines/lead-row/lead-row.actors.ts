import { fromPromise } from "xstate";

/** Delivered, or refused by the server with its reason when it gave one. No answer at all rejects. */
export type SendOutcome = { kind: "sent" } | { kind: "refused"; reason: string | null };

export type LeadRowGateway = {
  /** Not abortable: a note the person has left must reach the server even when the row goes away. */
  saveNotes(input: { leadId: string; notes: string }): Promise<void>;
  /** Moves the lead and resets its follow-ups. */
  changeStage(input: { leadId: string; stageId: string }, signal: AbortSignal): Promise<void>;
  sendFollowup(input: { leadId: string }, signal: AbortSignal): Promise<SendOutcome>;
};

export type LeadRowDeps = {
  leads: LeadRowGateway;
  notifier: { toast(message: string): void; alert(message: string): Promise<void> };
  logger: { warn(what: string, error: unknown): void };
  /** The list this row stands in reads itself again. */
  reloadList(): void;
};

const notProvided = (name: string) => () => Promise.reject(new Error(`${name} must be provided`));

export const placeholderActors = {
  saveNotes: fromPromise<void, { leadId: string; notes: string }>(notProvided("saveNotes")),
  changeStage: fromPromise<void, { leadId: string; stageId: string }>(notProvided("changeStage")),
  sendFollowup: fromPromise<SendOutcome, { leadId: string }>(notProvided("sendFollowup")),
  showAlert: fromPromise<void, { message: string }>(notProvided("showAlert")),
};

export const createLeadRowActors = ({ leads, notifier }: LeadRowDeps) => ({
  saveNotes: fromPromise<void, { leadId: string; notes: string }>(({ input }) => leads.saveNotes(input)),
  changeStage: fromPromise<void, { leadId: string; stageId: string }>(({ input, signal }) =>
    leads.changeStage(input, signal),
  ),
  sendFollowup: fromPromise<SendOutcome, { leadId: string }>(({ input, signal }) => leads.sendFollowup(input, signal)),
  showAlert: fromPromise<void, { message: string }>(({ input }) => notifier.alert(input.message)),
});
