import { type EventObject, fromCallback, fromPromise } from "xstate";
import type { LeadsPage } from "../../../domain/lead.ts";
import type { Stage } from "../../../domain/stage.ts";
import type { LeadsRequest } from "./leads.filters.ts";

/** What the list must know besides leads: the stages in their order, and how many follow-ups each has by its id. */
export type Board = { stages: Stage[]; stepsByStage: Record<string, number> };
export type BoardPage = { board: Board; page: LeadsPage };

export type LeadsGateway = {
  /** One page of leads, newest first, with the number of all that match. */
  list(request: LeadsRequest, signal: AbortSignal): Promise<LeadsPage>;
  /** Stages in their order. */
  listStages(signal: AbortSignal): Promise<Stage[]>;
  listFollowups(signal: AbortSignal): Promise<readonly { stage_id: string | null }[]>;
};

export type LeadsDeps = {
  leads: LeadsGateway;
  events: { subscribe(type: "lead.changed", listener: () => void): () => void };
  logger: { warn(what: string, error: unknown): void };
};

const notProvided = (name: string) => () => Promise.reject(new Error(`${name} must be provided`));

export const placeholderActors = {
  fetchBoard: fromPromise<BoardPage, LeadsRequest>(notProvided("fetchBoard")),
  fetchPage: fromPromise<LeadsPage, LeadsRequest>(notProvided("fetchPage")),
  countLeads: fromPromise<number, LeadsRequest>(notProvided("countLeads")),
  watchLeads: fromCallback<EventObject>(() => {
    throw new Error("watchLeads must be provided");
  }),
};

export function createLeadsActors({ leads, events }: LeadsDeps) {
  return {
    fetchBoard: fromPromise<BoardPage, LeadsRequest>(async ({ input, signal }) => {
      const [page, stages, followups] = await Promise.all([
        leads.list(input, signal),
        leads.listStages(signal),
        leads.listFollowups(signal),
      ]);
      return { page, board: { stages, stepsByStage: countSteps(followups) } };
    }),
    fetchPage: fromPromise<LeadsPage, LeadsRequest>(({ input, signal }) => leads.list(input, signal)),
    countLeads: fromPromise<number, LeadsRequest>(async ({ input, signal }) => (await leads.list(input, signal)).total),
    watchLeads: fromCallback<EventObject>(({ sendBack }) =>
      events.subscribe("lead.changed", () => sendBack({ type: "lead.changed" })),
    ),
  };
}

function countSteps(followups: readonly { stage_id: string | null }[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { stage_id } of followups) {
    if (stage_id !== null) counts[stage_id] = (counts[stage_id] ?? 0) + 1;
  }
  return counts;
}
