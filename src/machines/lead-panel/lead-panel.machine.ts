import { msg } from "@lingui/core/runtime-macro";
import { type SnapshotFrom, assign, fromCallback, raise, setup } from "xstate";
import type { UiText, UiTextOrString } from "../../../domain/ui-text.ts";
import type { LeadDetail } from "../../../domain/lead.ts";
import type { Stage } from "../../../domain/stage.ts";
import { createFollowupSends } from "../../services/followup-sends.ts";
import { type NotesDraft, type NotesDrafts, createNotesDrafts } from "../../services/leads.ts";
import { createStagesList } from "../../services/stages.ts";
import { createChart } from "../kit/chart.ts";
import { type ReadingEvent, fetching } from "../kit/loading.ts";
import { type Page, createReporter } from "../kit/page.ts";
import { loadRegion } from "../kit/refreshing.ts";
import { type LeadRowParts, type LeadRowRef, createLeadRow } from "../lead-row/lead-row.machine.ts";
import { type Step, type StepsByStage, stepsOf } from "../lead-row/lead-row.steps.ts";

/** The panel's data; `lead` is null if the server does not know it. `draft` is a note that has not been saved. */
export type Panel = { lead: LeadDetail | null; stages: Stage[]; steps: StepsByStage; draft: NotesDraft | null };

type LeadPanelParts = {
  leads: LeadRowParts["leads"] & {
    read(input: { leadId: string }, signal: AbortSignal): Promise<LeadDetail | null>;
  };
  listStages?: (signal: AbortSignal) => Promise<Stage[]>;
  listFollowups?: (signal: AbortSignal) => Promise<readonly Step[]>;
  drafts?: NotesDrafts;
};

type LeadPanelContext = {
  leadId: string;
  panel: Panel | null;
  /** The version that was passed to the lead's own chart. */
  announced: Panel | null;
};

/**
 * The panel beside a conversation: one lead with its stage, next step and notes. Nothing can be changed before it has loaded, and a newer
 * request aborts an older one.
 */
export const createLeadPanel = (
  page: Page,
  {
    leads,
    listStages = createStagesList(page.http),
    listFollowups = createFollowupSends(page.http).list,
    drafts = createNotesDrafts(page.drafts),
  }: LeadPanelParts,
) => {
  const base = setup({
    types: {
      input: {} as { leadId: string },
      context: {} as LeadPanelContext,
      events: {} as ReadingEvent | { type: "lead.changed"; id?: string } | { type: "list.reload" },
    },
    actors: {
      fetchPanel: fetching(async (input: { leadId: string }, signal: AbortSignal): Promise<Panel> => {
        const [lead, stages, followups] = await Promise.all([
          leads.read(input, signal),
          listStages(signal),
          listFollowups(signal),
        ]);
        return { lead, stages, steps: stepsOf(followups), draft: drafts.read(input.leadId) };
      }),
      watchLead: fromCallback<{ type: "lead.changed" }, { leadId: string }>(({ input, sendBack }) =>
        page.events.subscribe("lead.changed", (data) => {
          const { id = input.leadId } = (data ?? {}) as { id?: unknown };
          if (id === input.leadId) sendBack({ type: "lead.changed" });
        }),
      ),
      leadRow: createLeadRow(page, { leads, drafts }),
    },
  });

  /** Starts the lead's own chart after the first read, passes on each newer version, and stops it if the lead is deleted. */
  const updateRow = base.enqueueActions(({ context: { panel, announced }, enqueue, self }) => {
    const lead = panel?.lead ?? null;
    const hasRow = announced?.lead != null;
    if (panel === null || lead === null) {
      if (hasRow) enqueue.stopChild("row");
    } else if (hasRow) {
      enqueue.sendTo("row", { type: "lead.refreshed", lead, steps: panel.steps });
    } else {
      const draft = panel.draft?.notes === (lead.notes ?? "") ? null : panel.draft;
      enqueue.spawnChild("leadRow", { id: "row", input: { lead, steps: panel.steps, draft, list: self } });
    }
    enqueue.assign({ announced: panel });
  });

  return base
    .extend({
      actions: {
        storePanel: assign((_, panel: Panel) => ({ panel })),
        updateRow,
        refresh: raise({ type: "reading.refresh" }),
        reportFailure: createReporter(page.logger),
      },
      guards: { hasNewer: ({ context }) => context.panel !== context.announced },
    })
    .createMachine({
      id: "leadPanel",
      context: ({ input }) => ({ leadId: input.leadId, panel: null, announced: null }),
      invoke: { id: "watchLead", src: "watchLead", input: ({ context }) => ({ leadId: context.leadId }) },
      on: { "lead.changed": { actions: "refresh" }, "list.reload": { actions: "refresh" } },
      always: { guard: "hasNewer", actions: "updateRow" },
      ...loadRegion({
        src: "fetchPanel",
        store: "storePanel",
        what: msg`the lead`,
        input: ({ context }: { context: LeadPanelContext }) => ({ leadId: context.leadId }),
      }),
    });
};

export const LeadPanel = createChart<typeof createLeadPanel>("leadPanel");

/** The chart of the lead's stage, notes and manual follow-up. */
export const selectRow = (chart: SnapshotFrom<typeof createLeadPanel>) =>
  chart.children["row"] as LeadRowRef | undefined;

/** What on the lead's side blocks the next follow-up; null if nothing does. */
function obstacleOf({ unreachable_reason, opted_out_at, waiting_since }: LeadDetail): UiText | null {
  if (opted_out_at !== null) return msg`This person asked for no more messages, so nothing is sent automatically.`;
  if (unreachable_reason !== null) return msg`Telegram does not let this account write to this person at the moment.`;
  if (waiting_since !== null)
    return msg`This person is waiting for your answer. Nothing is sent automatically until you reply.`;
  return null;
}

/** Says what happens with the next step, in the server's text if there is one. */
export function stepMessage(lead: LeadDetail, next: UiTextOrString | null, count: number): UiTextOrString {
  const words = lead.automation?.["words"];
  if (typeof words === "string" && words !== "") return words;
  if (count === 0) return msg`This stage has no follow-ups.`;
  if (next === null) return msg`All follow-ups of this stage were sent.`;
  return obstacleOf(lead) ?? msg`It is sent when it is due, while automatic follow-ups are on.`;
}
