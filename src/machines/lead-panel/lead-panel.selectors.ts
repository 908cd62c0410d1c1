import type { LeadDetail } from "../../../domain/lead-detail.ts";
import type { LeadRowRef } from "../lead-row/index.ts";
import type { LeadPanelSnapshot } from "./lead-panel.machine.ts";

export { selectOutdated, selectUnread } from "../kit/reading.ts";

/** What was read; null before the first reading. */
export const selectPanel = (snapshot: LeadPanelSnapshot) => snapshot.context.panel;

/** The chart of the lead's stage, notes and follow-up. */
export const selectRow = (snapshot: LeadPanelSnapshot) => snapshot.children["row"] as LeadRowRef | undefined;

/** What stands in the way of the next follow-up, or null when nothing of the lead does. */
function obstacleOf({ unreachable_reason, opted_out_at, waiting_since }: LeadDetail): string | null {
  if (opted_out_at !== null) return "This person asked for no more messages, so nothing goes out by itself.";
  if (unreachable_reason !== null) return "Telegram does not let this account write to this person at present.";
  if (waiting_since !== null)
    return "This person waits for your answer. Nothing goes out by itself before you have written.";
  return null;
}

/** The state of the next step in one sentence: the server's own words where it gives them. */
export function stepWords(lead: LeadDetail, next: string | null, count: number): string {
  const words = lead.automation?.["words"];
  if (typeof words === "string" && words !== "") return words;
  if (count === 0) return "This stage has no follow-ups.";
  if (next === null) return "All follow-ups of this stage were sent.";
  return obstacleOf(lead) ?? "It goes out when it is due, while automatic follow-ups are on.";
}
