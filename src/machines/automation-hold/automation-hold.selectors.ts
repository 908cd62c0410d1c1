import type { AutomationHoldSnapshot } from "./automation-hold.machine.ts";

export { selectOutdated, selectUnread } from "../kit/reading.ts";

/** What was read; null before, and where the server does not tell it. */
export const selectAutomation = (chart: AutomationHoldSnapshot) => chart.context.automation;
export const selectHold = (chart: AutomationHoldSnapshot) => chart.context.hold;
export const selectProblem = (chart: AutomationHoldSnapshot) => chart.context.problem;
/** What the person is at; what takes time is a gerund. */
export const selectWork = (chart: AutomationHoldSnapshot) => chart.value.work;
/** The person asked why: the answer stands, and is being read anew or could not be. */
export const selectIsAsked = (chart: AutomationHoldSnapshot) => chart.matches({ reason: "asked" });
