import { type SnapshotFrom, assign, raise, setup } from "xstate";
import { leadRowMachine } from "../lead-row/lead-row.machine.ts";
import { reading, type ReadingEvent } from "../kit/reading.ts";
import { unreported } from "../kit/reporting.ts";
import { type Panel, placeholderActors } from "./lead-panel.actors.ts";

type LeadPanelContext = {
  leadId: string;
  panel: Panel | null;
  /** What the lead's own chart has heard of. */
  told: Panel | null;
};

const base = setup({
  types: {
    input: {} as { leadId: string },
    context: {} as LeadPanelContext,
    events: {} as ReadingEvent | { type: "lead.changed"; id?: string } | { type: "list.reload" },
  },
  actors: { ...placeholderActors, leadRow: leadRowMachine },
});

/** The lead's own chart begins with the first reading, hears of each newer one, and ends with a lead that is gone. */
const tellRow = base.enqueueActions(({ context: { panel, told }, enqueue, self }) => {
  const lead = panel?.lead ?? null;
  const hasRow = told?.lead != null;
  if (panel === null || lead === null) {
    if (hasRow) enqueue.stopChild("row");
  } else if (hasRow) {
    enqueue.sendTo("row", { type: "lead.refreshed", lead, steps: panel.steps });
  } else {
    const draft = panel.draft?.notes === (lead.notes ?? "") ? null : panel.draft;
    enqueue.spawnChild("leadRow", { id: "row", input: { lead, steps: panel.steps, draft, list: self } });
  }
  enqueue.assign({ told: panel });
});

const panelSetup = base.extend({
  actions: {
    storePanel: assign((_, panel: Panel) => ({ panel })),
    tellRow,
    refresh: raise({ type: "reading.refresh" }),
    reportFailure: unreported,
  },
  guards: { hasNewer: ({ context }) => context.panel !== context.told },
});

/**
 * What stands beside a conversation: one lead with its stage, next step and notes. Nothing of it can be changed before it was read,
 * and a newer reading gives an older one up.
 */
export const leadPanelMachine = panelSetup.createMachine({
  id: "leadPanel",
  context: ({ input }) => ({ leadId: input.leadId, panel: null, told: null }),
  invoke: { id: "watchLead", src: "watchLead", input: ({ context }) => ({ leadId: context.leadId }) },
  on: { "lead.changed": { actions: "refresh" }, "list.reload": { actions: "refresh" } },
  always: { guard: "hasNewer", actions: "tellRow" },
  ...reading({
    src: "fetchPanel",
    store: "storePanel",
    what: "the lead",
    input: ({ context }: { context: LeadPanelContext }) => ({ leadId: context.leadId }),
  }),
});

export type LeadPanelSnapshot = SnapshotFrom<typeof leadPanelMachine>;
