import { createReporter } from "../kit/reporting.ts";
import { type AutomationHoldDeps, createAutomationHoldActors } from "./automation-hold.actors.ts";
import { automationHoldMachine } from "./automation-hold.machine.ts";

/** A lead's automation in the person's hand, over a gateway. */
export const createAutomationHold = (deps: AutomationHoldDeps) =>
  automationHoldMachine.provide({
    actors: createAutomationHoldActors(deps),
    actions: { reportFailure: createReporter(deps.logger) },
  });

export type { Automation, AutomationGateway, AutomationHoldDeps } from "./automation-hold.actors.ts";
export {
  AutomationHoldProvider,
  useAutomationHold,
  useAutomationHoldEvents,
  useCanAutomationHold,
} from "./automation-hold.context.tsx";
export { automationHoldMachine } from "./automation-hold.machine.ts";
export * from "./automation-hold.selectors.ts";
export { HOLD_CHOICES, HOLD_WORDS, holdUntil, isHoldChoice } from "./automation-hold.until.ts";
