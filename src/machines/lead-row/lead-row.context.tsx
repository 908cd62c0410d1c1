import { useMemo, useSyncExternalStore } from "react";
import type { Lead } from "../../../domain/lead.ts";
import type { LeadRowRef, LeadRowSnapshot } from "./lead-row.machine.ts";
import { type RowState, selectRow, untouchedRow } from "./lead-row.selectors.ts";
import type { StepsByStage } from "./lead-row.steps.ts";

type Store = { subscribe: (listener: () => void) => () => void; read: () => LeadRowSnapshot | undefined };
const NO_CHART: Store = { subscribe: () => () => {}, read: () => undefined };

const storeOf = (row: LeadRowRef): Store => ({
  subscribe(listener) {
    const subscription = row.subscribe(listener);
    return () => subscription.unsubscribe();
  },
  read: () => row.getSnapshot(),
});

/** A row as it stands: its chart's where somebody has touched it, else the lead's own data. */
export function useLeadRow(row: LeadRowRef | undefined, lead: Lead, steps: StepsByStage): RowState {
  const { subscribe, read } = useMemo(() => (row ? storeOf(row) : NO_CHART), [row]);
  const snapshot = useSyncExternalStore(subscribe, read);
  return snapshot ? selectRow(snapshot) : untouchedRow(lead, steps);
}

/** What a person can do to the lead `leadId`; the first of it gives the row its chart. */
export function useLeadRowVerbs(leadId: string, row: LeadRowRef | undefined, touchRow: (leadId: string) => LeadRowRef) {
  return useMemo(() => {
    const touch = () => row ?? touchRow(leadId);
    return {
      enterNotes: () => void touch(),
      changeNotes: (notes: string) => touch().send({ type: "notes.change", notes }),
      /** A row that went has been told so by its list. */
      leaveNotes: () => {
        if (row?.getSnapshot().status === "active") row.send({ type: "notes.leave" });
      },
      retryNotes: () => touch().send({ type: "notes.retry" }),
      editStage: () => touch().send({ type: "stage.edit" }),
      pickStage: (stageId: string) => touch().send({ type: "stage.pick", stageId }),
      commitStage: () => touch().send({ type: "stage.commit" }),
      chooseStage: (stageId: string) => touch().send({ type: "stage.choose", stageId }),
      cancelStage: () => touch().send({ type: "stage.cancel" }),
      sendFollowup: () => touch().send({ type: "followup.send" }),
    };
  }, [leadId, row, touchRow]);
}
export type LeadRowVerbs = ReturnType<typeof useLeadRowVerbs>;
