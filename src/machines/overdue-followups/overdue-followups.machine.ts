import { type SnapshotFrom, assign, raise, setup } from "xstate";
import type { OverdueFollowups } from "../../../domain/followup.ts";
import { asking, isConfirmed } from "../kit/asking.ts";
import { type ReadingEvent, reading } from "../kit/reading.ts";
import { failed, problemOf } from "../kit/failed.ts";
import { unreported } from "../kit/reporting.ts";
import { SEND_FAILED, placeholderActors } from "./overdue-followups.actors.ts";
import { askingWords } from "./overdue-followups.words.ts";

type Context = {
  overdue: OverdueFollowups;
  /** Those that the person was asked about. */
  asked: OverdueFollowups;
  problem: string | null;
};

const NONE: OverdueFollowups = { total: 0, leads: [] };

const announcePlanned: (_: unknown, params: { planned: number }) => void = () => {};

/** Follow-ups that were long overdue when automation could first send them: they wait for the person's word. */
export const overdueFollowupsMachine = setup({
  types: {
    context: {} as Context,
    events: {} as ReadingEvent | { type: "overdue.send" },
  },
  actors: placeholderActors,
  actions: {
    storeOverdue: assign((_, overdue: OverdueFollowups) => ({ overdue })),
    storeAsked: assign(({ context }) => ({ asked: context.overdue, problem: null })),
    storeProblem: assign(problemOf),
    forgetOverdue: assign({ overdue: NONE }),
    refresh: raise({ type: "reading.refresh" }),
    announcePlanned,
    reportFailure: unreported,
  },
  guards: { hasOverdue: ({ context }) => context.overdue.total > 0, isConfirmed },
}).createMachine({
  id: "overdueFollowups",
  context: { overdue: NONE, asked: NONE, problem: null },
  invoke: [
    { id: "watchPlan", src: "watchPlan" },
    { id: "watchReturns", src: "watchReturns" },
  ],
  type: "parallel",
  states: {
    list: reading({ src: "fetchOverdue", store: "storeOverdue", what: "the overdue follow-ups" }),
    word: {
      initial: "awaited",
      states: {
        awaited: {
          on: { "overdue.send": { guard: "hasOverdue", target: "awaitingConfirmation", actions: "storeAsked" } },
        },
        awaitingConfirmation: asking(
          ({ context }: { context: Context }) => ({ message: askingWords(context.asked.total) }),
          { yes: "planning", no: "awaited" },
        ),
        planning: {
          invoke: {
            id: "planOverdue",
            src: "planOverdue",
            input: ({ context: { asked } }) => ({
              leadIds: asked.leads.length < asked.total ? null : asked.leads.map((lead) => lead.lead_id),
            }),
            onDone: {
              target: "awaited",
              actions: [
                { type: "announcePlanned", params: ({ event }) => ({ planned: event.output }) },
                "forgetOverdue",
                "refresh",
              ],
            },
            onError: {
              target: "awaited",
              actions: [...failed(SEND_FAILED, "overdue follow-ups were not sent"), "refresh"],
            },
          },
        },
      },
    },
  },
});

export type OverdueFollowupsSnapshot = SnapshotFrom<typeof overdueFollowupsMachine>;
