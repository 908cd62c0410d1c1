/** Charts whose states have no invariants yet. */
export const WITHOUT_INVARIANTS: readonly string[] = ["followups", "inbox", "leadMarks", "leads"];
