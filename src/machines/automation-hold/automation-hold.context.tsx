import { createMachineContext } from "../kit/context.tsx";
import type { Hold } from "./automation-hold.actors.ts";
import { automationHoldMachine } from "./automation-hold.machine.ts";

const AutomationHold = createMachineContext(automationHoldMachine, (chart) => ({
  retry: () => chart.send({ type: "reading.retry" }),
  askReason: () => chart.send({ type: "reason.ask" }),
  skip: () => chart.send({ type: "step.skip" }),
  chooseHold: () => chart.send({ type: "hold.choose" }),
  changeHold: (change: Partial<Hold>) => chart.send({ type: "hold.change", change }),
  cancelHold: () => chart.send({ type: "hold.cancel" }),
  submitHold: () => chart.send({ type: "hold.submit" }),
  resume: () => chart.send({ type: "automation.resume" }),
}));

export const AutomationHoldProvider = AutomationHold.Provider;
export const useAutomationHold = AutomationHold.use;
export const useCanAutomationHold = AutomationHold.useCan;
/** What a person can do about a lead's automation. */
export const useAutomationHoldEvents = AutomationHold.useVerbs;
