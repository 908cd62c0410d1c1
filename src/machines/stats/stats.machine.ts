import { msg } from "@lingui/core/runtime-macro";
import { type SnapshotFrom, and, assign, raise, setup } from "xstate";
import type { UiText, UiTextOrString } from "../../../domain/ui-text.ts";
import { failureOf } from "../../../domain/problem.ts";
import type { Stage } from "../../../domain/stage.ts";
import {
  type Conversion,
  type DailyVolume,
  type FunnelStep,
  type StageShare,
  rangeProblem,
} from "../../../domain/stats.ts";
import { RANGE_PROBLEMS } from "../../../domain/time-range.ts";
import { type Range, createStatsGateway } from "../../services/stats.ts";
import { createChart, withEvent, withOutput } from "../kit/chart.ts";
import { type ReadingEvent, type ReadingTag, fetching } from "../kit/loading.ts";
import { type Page, createReporter, reportFailure } from "../kit/page.ts";
import { refreshableLoad, watchingReturns } from "../kit/refreshing.ts";
import { type Period, type PeriodName, fillDays, rangeOf } from "./stats.period.ts";

export type StatsParts = {
  /** milliseconds since 1970 */
  now: () => number;
  /** Stores the chosen period for Back and reloads. */
  rememberPeriod: (period: Period) => void;
  stats?: ReturnType<typeof createStatsGateway>;
};

/** A period's responses; null for those that failed. */
type Figures = {
  volume: DailyVolume[] | null;
  total: number | null;
  breakdown: StageShare[] | null;
  funnel: FunnelStep[] | null;
};
type ConversionRequest = { period: Period; stageId: string; stages: Stage[] };

type Context = {
  period: Period;
  stages: Stage[];
  figures: Figures;
  conversionStageId: string;
  conversion: Conversion | null;
  /** The server's message about an invalid period; null for any other failure. */
  refusal: UiTextOrString | null;
};

const NO_FIGURES: Figures = { volume: null, total: null, breakdown: null, funnel: null };

const remember = {
  type: "rememberPeriod",
  params: ({ context }: { context: Context }) => ({ period: context.period }),
} as const;

/** The chosen stage may be gone. */
const onRenewal = { "stages.renewed": "checking" } as const;

/** Why a custom period is invalid; null if it is valid or lacks a date. */
export function periodProblem(period: Period): UiText | null {
  const range = rangeOf(period, 0);
  const problem = range && rangeProblem(range);
  return problem && RANGE_PROBLEMS[problem];
}

/** Whether a period can be requested: a custom one needs valid dates. */
const canBeAsked = (period: Period) => rangeOf(period, 0) !== null && periodProblem(period) === null;

const hasAll = (figures: Figures) => Object.values(figures).every((figure) => figure !== null);

/** Whether the server refuses the period itself, so that every figure fails alike. */
const isRefused = (error: unknown): boolean => failureOf(error).status === 422;

function completeRange(period: Period, now: number): Range {
  const range = rangeOf(period, now);
  if (range === null) throw new Error("a custom period without both dates is never fetched");
  return range;
}

/**
 * The figures of one period. Stages, figures and the conversion load in parallel. A newer choice aborts the older requests, so only the
 * newest period is shown. Failed parts are named and can be retried.
 */
export const createStats = (page: Page, { now, rememberPeriod, stats = createStatsGateway(page.http) }: StatsParts) =>
  setup({
    types: {
      input: {} as { period: Period },
      context: {} as Context,
      tags: {} as ReadingTag,
      events: {} as
        | ReadingEvent
        | { type: "period.choose"; name: PeriodName }
        | { type: "dates.choose"; start: string; end: string }
        | { type: "conversionStage.choose"; stageId: string }
        | { type: "stages.renewed" },
    },
    actors: {
      listStages: fetching(stats.listStages),
      fetchFigures: fetching(async ({ period }: { period: Period }, signal: AbortSignal): Promise<Figures> => {
        const range = completeRange(period, now());
        // Each figure is independent: a failed one is missing, the others are shown.
        const orNull = async <Figure>(what: string, call: Promise<Figure>): Promise<Figure | null> => {
          try {
            return await call;
          } catch (error) {
            if (isRefused(error)) throw error;
            if (!signal.aborted) page.logger.warn(`${what} was not loaded`, error);
            return null;
          }
        };
        const [volume, total, breakdown, funnel] = await Promise.all([
          orNull("the lead volume", stats.fetchVolume(range, signal)),
          orNull("the total of leads", stats.fetchTotal(range, signal)),
          orNull("the stage breakdown", stats.fetchBreakdown(range, signal)),
          orNull("the funnel", stats.fetchFunnel(range, signal)),
        ]);
        return { volume: volume && fillDays(volume, range), total, breakdown, funnel };
      }),
      fetchConversion: fetching(({ period, ...request }: ConversionRequest, signal: AbortSignal) =>
        stats.fetchConversion({ ...completeRange(period, now()), ...request }, signal),
      ),
      watchReturns: watchingReturns(),
    },
    actions: {
      storePeriod: assign(({ context }, params: { name: PeriodName }) => ({
        period: { ...context.period, name: params.name },
      })),
      storeDates: assign(({ context }, params: { start: string; end: string }) => ({
        period: { ...context.period, start: params.start, end: params.end },
      })),
      rememberPeriod: (_args, { period }: { period: Period }) => rememberPeriod(period),
      storeStages: assign(({ context: { conversionStageId } }, stages: Stage[]) => ({
        stages,
        conversionStageId: stages.some(({ id }) => id === conversionStageId)
          ? conversionStageId
          : (stages.at(-1)?.id ?? ""),
      })),
      storeFigures: assign((_, figures: Figures) => ({ figures })),
      reportRenewed: raise({ type: "stages.renewed" }),
      forgetFigures: assign({ figures: NO_FIGURES }),
      storeConversionStage: assign((_, params: { stageId: string }) => ({ conversionStageId: params.stageId })),
      storeConversion: assign((_, conversion: Conversion) => ({ conversion })),
      forgetConversion: assign({ conversion: null }),
      storeRefusal: assign(({ context }, { error }: { error: unknown }) => ({
        refusal: isRefused(error) ? failureOf(error).message : context.refusal,
      })),
      forgetRefusal: assign({ refusal: null }),
      reportFailure: createReporter(page.logger),
    },
    guards: {
      canBeAsked: ({ context: { period } }) => canBeAsked(period),
      areComplete: (_, figures: Figures) => hasAll(figures),
      /** Only a custom period has date fields. */
      isCustom: ({ context }) => context.period.name === "custom",
      /** The stages are shown with the figures, which an invalid custom period does not have. */
      isOffered: ({ context: { period, stages } }, { stageId }: { stageId: string }) =>
        canBeAsked(period) && stages.some(({ id }) => id === stageId),
      hasConversionStage: ({ context }) => context.conversionStageId !== "" && context.stages.length > 0,
      canConvert: and(["canBeAsked", "hasConversionStage"]),
    },
  }).createMachine({
    id: "stats",
    context: ({ input }) => ({
      period: input.period,
      stages: [],
      figures: NO_FIGURES,
      conversionStageId: "",
      conversion: null,
      refusal: null,
    }),
    invoke: { id: "watchReturns", src: "watchReturns" },
    type: "parallel",
    states: {
      stages: {
        initial: "loading",
        states: {
          ...refreshableLoad({ src: "listStages", store: "storeStages", what: msg`the stages`, shown: "loaded" }),
          loaded: { on: { "reading.refresh": "refreshing" } },
          refreshing: {
            invoke: {
              id: "refreshStages",
              src: "listStages",
              onDone: { target: "loaded", actions: [withOutput("storeStages"), "reportRenewed"] },
              onError: { target: "outdated", actions: reportFailure("the stages were not read again") },
            },
          },
          outdated: {
            tags: "loadFailed",
            meta: { loadFailed: msg`the stages` },
            on: { "reading.retry": "refreshing", "reading.refresh": "refreshing" },
          },
        },
      },
      figures: {
        initial: "checking",
        on: {
          "period.choose": { target: ".checking", actions: [withEvent("storePeriod"), remember] },
          "dates.choose": { guard: "isCustom", target: ".checking", actions: [withEvent("storeDates"), remember] },
        },
        states: {
          checking: { always: [{ guard: "canBeAsked", target: "loading" }, { target: "awaitingDates" }] },
          awaitingDates: { entry: "forgetFigures" },
          loading: {
            entry: "forgetRefusal",
            invoke: {
              id: "fetchFigures",
              src: "fetchFigures",
              input: ({ context }) => ({ period: context.period }),
              onDone: [
                { guard: withOutput("areComplete"), target: "shown", actions: withOutput("storeFigures") },
                { target: "incomplete", actions: withOutput("storeFigures") },
              ],
              onError: {
                target: "incomplete",
                actions: ["forgetFigures", withEvent("storeRefusal"), reportFailure("the figures were not loaded")],
              },
            },
          },
          shown: { on: { "reading.refresh": "loading" } },
          incomplete: {
            tags: "loadFailed",
            meta: { loadFailed: msg`some of the figures` },
            on: { "reading.retry": "loading", "reading.refresh": "loading" },
          },
        },
      },
      conversion: {
        initial: "checking",
        on: {
          "period.choose": ".checking",
          "dates.choose": { guard: "isCustom", target: ".checking" },
          "conversionStage.choose": {
            guard: withEvent("isOffered"),
            target: ".checking",
            actions: withEvent("storeConversionStage"),
          },
        },
        states: {
          checking: {
            always: [{ guard: "canConvert", target: "loading" }, { target: "absent" }],
          },
          // The stages may load after the period is chosen.
          absent: {
            entry: "forgetConversion",
            always: { guard: "canConvert", target: "loading" },
          },
          failed: {
            tags: "loadFailed",
            meta: { loadFailed: msg`the conversion` },
            entry: "forgetConversion",
            on: { "reading.retry": "loading", ...onRenewal },
          },
          loading: {
            on: onRenewal,
            invoke: {
              id: "fetchConversion",
              src: "fetchConversion",
              input: ({ context: { period, conversionStageId, stages } }) => ({
                period,
                stageId: conversionStageId,
                stages,
              }),
              onDone: { target: "shown", actions: withOutput("storeConversion") },
              onError: {
                target: "failed",
                actions: [withEvent("storeRefusal"), reportFailure("the conversion was not loaded")],
              },
            },
          },
          shown: { on: onRenewal },
        },
      },
    },
  });

export const Stats = createChart<typeof createStats>("stats");
export type StatsSnapshot = SnapshotFrom<typeof createStats>;
