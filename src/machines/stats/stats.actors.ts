import { fromPromise } from "xstate";
import { type Stage, sortStages } from "../../../domain/stage.ts";
import { failureOf } from "../../../domain/problem.ts";
import type { Conversion, DailyVolume, FunnelStep, StageShare } from "../../../domain/stats.ts";
import { notProvided } from "../kit/not-provided.ts";
import { unwatched, watchingReturns } from "../kit/reading.ts";
import type { Logger } from "../kit/reporting.ts";
import { type Period, type Range, fillDays, rangeOf } from "./stats.period.ts";

export type StatsGateway = {
  listStages(signal: AbortSignal): Promise<Stage[]>;
  fetchVolume(range: Range, signal: AbortSignal): Promise<DailyVolume[]>;
  fetchTotal(range: Range, signal: AbortSignal): Promise<number>;
  fetchBreakdown(range: Range, signal: AbortSignal): Promise<StageShare[]>;
  fetchFunnel(range: Range, signal: AbortSignal): Promise<FunnelStep[]>;
  fetchConversion(
    input: Range & { stageId: string; stages: readonly Stage[] },
    signal: AbortSignal,
  ): Promise<Conversion>;
};

export type StatsDeps = {
  stats: StatsGateway;
  /** milliseconds since 1970 */
  now: () => number;
  /** Keeps the chosen period where Back and a reload find it. */
  rememberPeriod: (period: Period) => void;
  /** Tells when the page comes back: what it shows may be old. */
  onReturn: (listener: () => void) => () => void;
  logger: Logger;
};

/** What a period's calls gave; null where one of them failed. */
export type Figures = {
  volume: DailyVolume[] | null;
  total: number | null;
  breakdown: StageShare[] | null;
  funnel: FunnelStep[] | null;
};
export type ConversionRequest = { period: Period; stageId: string; stages: Stage[] };

export const placeholderActors = {
  listStages: notProvided<Stage[], void>("listStages"),
  fetchFigures: notProvided<Figures, { period: Period }>("fetchFigures"),
  fetchConversion: notProvided<Conversion, ConversionRequest>("fetchConversion"),
  watchReturns: unwatched,
};

export const createStatsActors = ({ stats, now, onReturn, logger }: StatsDeps): typeof placeholderActors => ({
  listStages: fromPromise(async ({ signal }) => sortStages(await stats.listStages(signal))),
  fetchFigures: fromPromise(async ({ input, signal }) => {
    const range = completeRange(input.period, now());
    // Each figure stands by itself: one that fails is missing, the others are shown.
    const orNull = async <Figure>(what: string, call: Promise<Figure>): Promise<Figure | null> => {
      try {
        return await call;
      } catch (error) {
        if (isRefused(error)) throw error;
        if (!signal.aborted) logger.warn(`${what} was not loaded`, error);
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
  fetchConversion: fromPromise(({ input: { period, stageId, stages }, signal }) =>
    stats.fetchConversion({ ...completeRange(period, now()), stageId, stages }, signal),
  ),
  watchReturns: watchingReturns(onReturn),
});

/** The server refuses the period itself: every figure of it fails alike. */
export const isRefused = (error: unknown): boolean => failureOf(error).status === 422;

function completeRange(period: Period, now: number): Range {
  const range = rangeOf(period, now);
  if (range === null) throw new Error("a custom period without both dates is never fetched");
  return range;
}
