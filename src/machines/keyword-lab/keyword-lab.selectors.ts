import type { KeywordLabSnapshot } from "./keyword-lab.machine.ts";

/** Where the lab stands, as the screen shows it. */
export const selectPlace = (lab: KeywordLabSnapshot) => lab.value;
/** What was tried last: shown also while the words have been edited since; null without one. */
export const selectPreview = (lab: KeywordLabSnapshot) => (lab.hasTag("tried") ? lab.context.preview : null);
export const selectProblem = (lab: KeywordLabSnapshot) => (lab.matches("unread") ? lab.context.problem : null);
/** The stages that were tried, by which the answer names those that have no id. */
export const selectTried = (lab: KeywordLabSnapshot) => lab.context.tried;
