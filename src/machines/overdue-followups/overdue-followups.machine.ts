import { type ActorRefFrom, type SnapshotFrom, assign, setup } from "xstate";
import type { OverdueFollowups } from "../../../domain/followup.ts";
import { failureOf } from "../../../domain/problem.ts";
import { placeholderActors } from "./overdue-followups.actors.ts";
import { askingWords } from "./overdue-followups.words.ts";

const announcePlanned: (_: unknown, params: { planned: number }) => void = () => {};
const reportFailure: (_: unknown, params: { what: string; error: unknown }) => void = () => {};

/**
 * Follow-ups that were long overdue when automation could first send them: they wait for the person's word. A server that
 * does not tell of any leaves the screen as it is.
 */
export const overdueFollowupsMachine = setup({
  types: {
    context: {} as { overdue: OverdueFollowups; problem: string | null },
    events: {} as { type: "overdue.send" } | { type: "plan.changed" },
  },
  actors: placeholderActors,
  actions: {
    storeOverdue: assign((_, params: { overdue: OverdueFollowups }) => ({ overdue: params.overdue })),
    storeProblem: assign((_, params: { error: unknown }) => ({
      problem: failureOf(params.error).message ?? "They were not sent. Try again.",
    })),
    forgetProblem: assign({ problem: null }),
    announcePlanned,
    reportFailure,
  },
  guards: {
    hasOverdue: (_, params: { overdue: OverdueFollowups }) => params.overdue.total > 0,
    isConfirmed: (_, params: { isConfirmed: boolean }) => params.isConfirmed,
  },
}).createMachine({
  id: "overdueFollowups",
  context: { overdue: { total: 0, leads: [] }, problem: null },
  invoke: { id: "watchPlan", src: "watchPlan" },
  initial: "loading",
  states: {
    loading: {
      // An answer on its way may be older than the change.
      on: { "plan.changed": { target: "loading", reenter: true } },
      invoke: {
        id: "fetchOverdue",
        src: "fetchOverdue",
        onDone: [
          {
            guard: { type: "hasOverdue", params: ({ event }) => ({ overdue: event.output }) },
            target: "awaitingWord",
            actions: { type: "storeOverdue", params: ({ event }) => ({ overdue: event.output }) },
          },
          { target: "absent" },
        ],
        onError: {
          target: "absent",
          actions: {
            type: "reportFailure",
            params: ({ event }) => ({ what: "overdue follow-ups were not read", error: event.error }),
          },
        },
      },
    },
    absent: { on: { "plan.changed": "loading" } },
    awaitingWord: {
      on: {
        "overdue.send": { target: "awaitingConfirmation", actions: "forgetProblem" },
        "plan.changed": { target: "loading", actions: "forgetProblem" },
      },
    },
    awaitingConfirmation: {
      invoke: {
        id: "askConfirmation",
        src: "askConfirmation",
        input: ({ context }) => ({ message: askingWords(context.overdue.total) }),
        onDone: [
          {
            guard: { type: "isConfirmed", params: ({ event }) => ({ isConfirmed: event.output }) },
            target: "planning",
          },
          { target: "awaitingWord" },
        ],
        onError: "awaitingWord",
      },
    },
    planning: {
      invoke: {
        id: "planOverdue",
        src: "planOverdue",
        input: ({ context: { overdue } }) => ({
          leadIds: overdue.leads.length < overdue.total ? null : overdue.leads.map((lead) => lead.lead_id),
        }),
        onDone: {
          target: "loading",
          actions: { type: "announcePlanned", params: ({ event }) => ({ planned: event.output }) },
        },
        onError: {
          target: "awaitingWord",
          actions: [
            { type: "storeProblem", params: ({ event }) => ({ error: event.error }) },
            {
              type: "reportFailure",
              params: ({ event }) => ({ what: "overdue follow-ups were not sent", error: event.error }),
            },
          ],
        },
      },
    },
  },
});

export type OverdueFollowupsRef = ActorRefFrom<typeof overdueFollowupsMachine>;
export type OverdueFollowupsSnapshot = SnapshotFrom<typeof overdueFollowupsMachine>;
