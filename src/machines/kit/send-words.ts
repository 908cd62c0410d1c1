const KINDS: Partial<Record<string, string>> = {
  followup: "Follow-up",
  bulk: "Bulk message",
  reply: "Answer",
  manual: "Follow-up by hand",
  reminder: "Reminder",
};

/** What a message is called by its kind, such as `Follow-up`. */
export const kindName = (kind: string | null | undefined): string => KINDS[kind ?? ""] ?? "Message";

/** Which of its stage's follow-ups it is, counted from 1, such as `Step 2`. */
export const stepText = ({ order }: { order: number | null }): string =>
  order === null ? "A deleted step" : `Step ${order + 1}`;
