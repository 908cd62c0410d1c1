import { LeadPanel } from "../views/lead-panel/LeadPanel.tsx";
import type { Services } from "./services.ts";

export type LeadPanelPlaceProps = { services: Services; leadId: string };

/** The panel beside a conversation, with the services behind it; a new lead is a new panel. */
export function LeadPanelPlace({ leadId }: LeadPanelPlaceProps) {
  return <LeadPanel leadId={leadId} />;
}
