import { createMachineContext } from "../kit/context.tsx";
import { leadPanelMachine } from "./lead-panel.machine.ts";

const LeadPanel = createMachineContext(leadPanelMachine, (panel) => ({
  retry: () => panel.send({ type: "reading.retry" }),
}));

export const LeadPanelProvider = LeadPanel.Provider;
export const useLeadPanel = LeadPanel.use;
/** What a person can do about the panel itself; the rest is the lead's own chart. */
export const useLeadPanelEvents = LeadPanel.useVerbs;
