/** Charts whose states have no invariants yet. */
export const WITHOUT_INVARIANTS: readonly string[] = [
  "composer",
  "conversation",
  "followups",
  "inbox",
  "leadMarks",
  "leadRow",
  "leads",
];
