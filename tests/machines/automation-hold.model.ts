import { type Automation, createAutomationHold } from "../../src/machines/automation-hold/automation-hold.machine.ts";
import { done, failedWrites, modelOf } from "../support/model.ts";
import { fakePage } from "../support/page.ts";

export const STAGE_ENTERED = "2026-03-09T09:00:00.000Z";
const entry = { stage_entered_at: STAGE_ENTERED };
const step = { id: "step-1", order: 0, preview: "Hello Lead 1" };
export const scheduled: Automation = {
  state: "scheduled",
  due_at: "2026-03-10T09:00:00.000Z",
  step,
  words: "The next step goes out by itself.",
  ...entry,
};
export const held: Automation = { state: "held", due_at: null, step, words: "You hold this person.", ...entry };
export const finished: Automation = {
  state: "finished",
  due_at: null,
  step: null,
  words: "All steps were sent.",
  ...entry,
};

export const automationHoldModel = modelOf(createAutomationHold(fakePage()), {
  input: { leadId: "lead-1" },
  events: [
    ...done("readAutomation", scheduled, held, null),
    ...done("skipStep", finished),
    ...done("hold", held),
    ...done("resume", scheduled),
    ...failedWrites("skipStep", "hold", "resume"),
    { type: "step.skip" },
    { type: "hold.change", change: { choice: "date" } },
    { type: "hold.change", change: { date: "2026-03-12" } },
  ],
  /** Limits the paths to combinations in which the regions affect each other. */
  allow: (snapshot, event) => {
    const { type } = event;
    // The date field exists only after the choice "date".
    if (event["change"]?.date !== undefined && snapshot.context.hold.choice !== "date") return false;
    const isAtRest = snapshot.matches({ work: "resting" });
    if (type.includes("readAutomation") || type.startsWith("reading."))
      return isAtRest || snapshot.matches({ work: "choosing" });
    if (type === "reason.ask") return isAtRest;
    return snapshot.matches({ state: { shown: "current" } }) || !isAtRest;
  },
});
