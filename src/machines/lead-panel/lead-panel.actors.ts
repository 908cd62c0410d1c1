import { type EventObject, fromCallback, fromPromise } from "xstate";
import type { LeadDetail } from "../../../domain/lead-detail.ts";
import type { Stage } from "../../../domain/stage.ts";
import type { LeadRowDeps, NotesDraft, NotesDrafts, Step, StepsByStage } from "../lead-row/index.ts";
import { stepsOf } from "../lead-row/lead-row.steps.ts";
import { notProvided } from "../kit/not-provided.ts";
import type { Logger } from "../kit/reporting.ts";

/** What the panel shows; `lead` is null where the server knows none of that id. `draft` is a note that did not reach it. */
export type Panel = { lead: LeadDetail | null; stages: Stage[]; steps: StepsByStage; draft: NotesDraft | null };

export type LeadPanelGateway = {
  read(input: { leadId: string }, signal: AbortSignal): Promise<LeadDetail | null>;
  /** Stages in their order. */
  listStages(signal: AbortSignal): Promise<Stage[]>;
  listFollowups(signal: AbortSignal): Promise<readonly Step[]>;
};

/** Tells of a lead's news; without an id any of them may be meant. */
export type LeadNews = { subscribe(type: "lead.changed", listener: (data: unknown) => void): () => void };

export type LeadPanelDeps = {
  leads: LeadPanelGateway;
  row: LeadRowDeps;
  drafts: NotesDrafts;
  events: LeadNews;
  logger: Logger;
};

export const placeholderActors = {
  fetchPanel: notProvided<Panel, { leadId: string }>("fetchPanel"),
  watchLead: fromCallback<EventObject, { leadId: string }>(() => {}),
};

export const createLeadPanelActors = ({ leads, drafts, events }: LeadPanelDeps): typeof placeholderActors => ({
  fetchPanel: fromPromise(async ({ input, signal }) => {
    const [lead, stages, followups] = await Promise.all([
      leads.read(input, signal),
      leads.listStages(signal),
      leads.listFollowups(signal),
    ]);
    return { lead, stages, steps: stepsOf(followups), draft: drafts.read(input.leadId) };
  }),
  watchLead: fromCallback(({ input, sendBack }) =>
    events.subscribe("lead.changed", (data) => {
      const { id = input.leadId } = (data ?? {}) as { id?: unknown };
      if (id === input.leadId) sendBack({ type: "lead.changed" });
    }),
  ),
});
