import { createMachineContext } from "../kit/context.tsx";
import { overdueFollowupsMachine } from "./overdue-followups.machine.ts";

const Overdue = createMachineContext(overdueFollowupsMachine, (overdue) => ({
  retryReading: () => overdue.send({ type: "reading.retry" }),
  sendOverdue: () => overdue.send({ type: "overdue.send" }),
}));

export const OverdueFollowupsProvider = Overdue.Provider;
export const useOverdueFollowups = Overdue.use;
export const useCanOverdueFollowups = Overdue.useCan;
/** What a person can do about overdue follow-ups. */
export const useOverdueFollowupsEvents = Overdue.useVerbs;
