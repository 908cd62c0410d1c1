import { msg } from "@lingui/core/runtime-macro";
import { assign, raise, setup } from "xstate";
import type { UiTextOrString } from "../../../domain/ui-text.ts";
import type { OverdueFollowups } from "../../../domain/followup.ts";
import { nullOn } from "../../../domain/problem.ts";
import { createFollowupsGateway } from "../../services/followups.ts";
import { createChart, withOutput } from "../kit/chart.ts";
import { confirmState, confirming, isConfirmed } from "../kit/confirming.ts";
import { type ReadingEvent, fetching } from "../kit/loading.ts";
import { type Page, createReporter } from "../kit/page.ts";
import { loadRegion, watchingReturns } from "../kit/refreshing.ts";
import { type FailureText, failed, problemOf, writing } from "../kit/writing.ts";
import { confirmMessage, plannedMessage } from "./overdue-followups.texts.ts";

type OverdueParts = {
  followups?: Pick<ReturnType<typeof createFollowupsGateway>, "overdue" | "confirmOverdue">;
  /** Calls back when steps or the automation settings were saved, which may change what is overdue. */
  onPlanChanged?: (listener: () => void) => () => void;
};

const SEND_FAILED: FailureText = {
  refused: msg`The overdue follow-ups were not sent. Try again.`,
  unknown: msg`The overdue follow-ups may have been planned. Those still listed were not: try again.`,
};

type Context = {
  overdue: OverdueFollowups;
  /** The follow-ups that the user is asked to confirm. */
  toConfirm: OverdueFollowups;
  problem: UiTextOrString | null;
};

const NONE: OverdueFollowups = { total: 0, leads: [] };

/** Follow-ups that were long overdue when automation could first send them. They are sent once the user approves. */
export const createOverdueFollowups = (
  page: Page,
  { followups = createFollowupsGateway(page.http), onPlanChanged = () => () => {} }: OverdueParts = {},
) =>
  setup({
    types: {
      context: {} as Context,
      events: {} as ReadingEvent | { type: "overdue.send" },
    },
    actors: {
      // An older server lacks this route.
      fetchOverdue: fetching(async (signal) => (await followups.overdue(signal).catch(nullOn(404))) ?? NONE),
      askConfirmation: confirming(page.notifier),
      planOverdue: writing(page, followups.confirmOverdue, { done: plannedMessage, failed: SEND_FAILED }),
      watchPlan: watchingReturns(onPlanChanged),
      watchReturns: watchingReturns(),
    },
    actions: {
      storeOverdue: assign((_, overdue: OverdueFollowups) => ({ overdue })),
      storeToConfirm: assign(({ context }) => ({ toConfirm: context.overdue, problem: null })),
      storeProblem: assign(problemOf),
      forgetOverdue: assign({ overdue: NONE }),
      refresh: raise({ type: "reading.refresh" }),
      announcePlanned: (_args, planned: number) => page.notifier.toast(plannedMessage(planned)),
      reportFailure: createReporter(page.logger),
    },
    guards: { hasOverdue: ({ context }) => context.overdue.total > 0, isConfirmed },
  }).createMachine({
    id: "overdueFollowups",
    context: { overdue: NONE, toConfirm: NONE, problem: null },
    invoke: [
      { id: "watchPlan", src: "watchPlan" },
      { id: "watchReturns", src: "watchReturns" },
    ],
    type: "parallel",
    states: {
      list: loadRegion({ src: "fetchOverdue", store: "storeOverdue", what: msg`the overdue follow-ups` }),
      word: {
        initial: "awaited",
        states: {
          awaited: {
            on: { "overdue.send": { guard: "hasOverdue", target: "awaitingConfirmation", actions: "storeToConfirm" } },
          },
          awaitingConfirmation: confirmState(
            ({ context }: { context: Context }) => ({ message: confirmMessage(context.toConfirm.total) }),
            { yes: "planning", no: "awaited" },
          ),
          planning: {
            invoke: {
              id: "planOverdue",
              src: "planOverdue",
              input: ({ context: { toConfirm } }) => ({
                leadIds: toConfirm.leads.length < toConfirm.total ? null : toConfirm.leads.map((lead) => lead.lead_id),
              }),
              onDone: {
                target: "awaited",
                actions: [withOutput("announcePlanned"), "forgetOverdue", "refresh"],
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

export const Overdue = createChart<typeof createOverdueFollowups>("overdue follow-ups");
