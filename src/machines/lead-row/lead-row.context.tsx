import { createActorContext } from "@xstate/react";
import { useMemo } from "react";
import type { Lead } from "../../../domain/lead.ts";
import { leadRowMachine } from "./lead-row.machine.ts";

const LeadRow = createActorContext(leadRowMachine);

export const LeadRowProvider = LeadRow.Provider;
export const useLeadRow = LeadRow.useSelector;

/** What a person can do to one lead, and the list's newer reading of it. */
export function useLeadRowEvents() {
  const row = LeadRow.useActorRef();
  return useMemo(
    () => ({
      refreshLead: (lead: Lead) => row.send({ type: "lead.refreshed", lead }),
      changeNotes: (notes: string) => row.send({ type: "notes.change", notes }),
      leaveNotes: () => row.send({ type: "notes.leave" }),
      retryNotes: () => row.send({ type: "notes.retry" }),
      editStage: () => row.send({ type: "stage.edit" }),
      chooseStage: (stageId: string) => row.send({ type: "stage.choose", stageId }),
      cancelStage: () => row.send({ type: "stage.cancel" }),
      sendFollowup: () => row.send({ type: "followup.send" }),
    }),
    [row],
  );
}
