import type { FieldValue, LeadTag } from "../../../domain/lead.ts";
import { notProvided } from "../kit/not-provided.ts";
import type { FailureText } from "../kit/failed.ts";
import { type Notifier, confirming } from "../kit/speaking.ts";
import { type WritingDeps, writing } from "../kit/writing.ts";

export type FieldValues = Readonly<Record<string, FieldValue>>;

export type LeadMarksGateway = {
  /** Gives the lead exactly these tags; answers them. */
  setTags(input: { leadId: string; tagIds: readonly string[] }): Promise<readonly LeadTag[]>;
  /** Changes the named values; answers all of them. */
  setFields(input: { leadId: string; values: FieldValues }): Promise<FieldValues>;
  /** Not a lead; answers whose exclusion `restore` ends. */
  exclude(input: { leadId: string }): Promise<{ telegramUserId: string }>;
  restore(input: { telegramUserId: string }): Promise<string | null>;
};

export type LeadMarksDeps = WritingDeps & {
  marks: LeadMarksGateway;
  notifier: Pick<Notifier, "toast" | "warn" | "confirm">;
  /** Other charts show the same lead. */
  onChanged: () => void;
  /** The lead's own address is told who is gone, with the step back, and who is there again. */
  excluded: {
    add(leadId: string, name: string | null, undo: () => void): void;
    remove(leadId: string): void;
  };
};

export const SAVE_FAILED: FailureText = {
  refused: "It was not saved. Try again.",
  unknown: "It may have been saved. What you typed is kept: try again.",
};
export const EXCLUSION_FAILED: FailureText = {
  refused: "The person is still a lead. Try again.",
  unknown: "The person may have been excluded.",
};

export const placeholderActors = {
  saveTags: notProvided<readonly LeadTag[], { leadId: string; tagIds: readonly string[] }>("saveTags"),
  saveFields: notProvided<FieldValues, { leadId: string; values: FieldValues }>("saveFields"),
  askConfirmation: notProvided<boolean, { message: string }>("askConfirmation"),
  excludeLead: notProvided<{ telegramUserId: string }, { leadId: string }>("excludeLead"),
};

export const createLeadMarksActors = ({ marks, ...page }: LeadMarksDeps): typeof placeholderActors => ({
  saveTags: writing(page, (input: { leadId: string; tagIds: readonly string[] }) => marks.setTags(input), {
    failed: SAVE_FAILED,
  }),
  saveFields: writing(page, (input: { leadId: string; values: FieldValues }) => marks.setFields(input), {
    failed: SAVE_FAILED,
  }),
  askConfirmation: confirming(page.notifier),
  excludeLead: writing(page, (input: { leadId: string }) => marks.exclude(input), { failed: EXCLUSION_FAILED }),
});
