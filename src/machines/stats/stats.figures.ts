import type { Stage } from "../../../domain/stage.ts";
import { STAGE_DEFAULT_COLOR } from "../../../domain/limits.ts";
import { type FunnelStep, type StageShare, percentage } from "../../../domain/stats.ts";

/** Distinguishable for color-blind users (Okabe and Ito), with a contrast of 3:1 on white and black. */
export const FALLBACK_PALETTE = ["#2f78b7", "#c46a00", "#0f8a6c", "#b8578f", "#8a7a00", "#3f8fa8", "#a8503f"] as const;

export type StageFigure = { id: string; name: string; count: number; share: number | null; color: string };
export type StageStep = { from: string; to: string; rate: number | null; color: string };
export type CumulativePoint = { name: string; reached: number; rate: number | null };

/** Leads per stage in the order of the stages; leads without a known stage come last, named `unknown`. */
export function stageFigures(
  breakdown: readonly StageShare[],
  stages: readonly Stage[],
  unknown: string,
): StageFigure[] {
  const total = breakdown.reduce((sum, { count }) => sum + count, 0);
  const known = new Map(stages.map((stage, index) => [stage.id, { stage, index }]));
  const colors = stageColors(stages);
  return breakdown
    .map(({ stage_id, count }) => {
      const found = known.get(String(stage_id));
      return {
        index: found?.index ?? Number.POSITIVE_INFINITY,
        figure: {
          id: String(stage_id),
          name: found?.stage.name || unknown,
          count,
          share: percentage(count, total),
          color: colors.get(String(stage_id)) ?? STAGE_DEFAULT_COLOR,
        },
      };
    })
    .toSorted((a, b) => (a.index === b.index ? 0 : a.index - b.index))
    .map(({ figure }) => figure);
}

/**
 * Returns a color for each stage: its own, which is grey by default. If several stages are grey, only the first keeps it; the others get
 * palette colors that no stage uses.
 */
function stageColors(stages: readonly Stage[]): Map<string, string> {
  const chosen = new Set(stages.map(({ color }) => color.toLowerCase()));
  const free = FALLBACK_PALETTE.filter((color) => !chosen.has(color));
  const palette = free.length > 0 ? free : FALLBACK_PALETTE;
  const laterGrey = stages.filter(({ color }) => color.toLowerCase() === STAGE_DEFAULT_COLOR).slice(1);
  const colors = new Map(laterGrey.map(({ id }, index) => [id, palette[index % palette.length]]));
  return new Map(stages.map(({ id, color }) => [id, colors.get(id) ?? color]));
}

/** The rate from each stage to the next: leads at or beyond the next, divided by leads at or beyond this one. */
export function stageSteps(breakdown: readonly StageShare[], stages: readonly Stage[], unknown: string): StageStep[] {
  const counts = new Map(breakdown.map(({ stage_id, count }) => [String(stage_id), count]));
  const beyond = (index: number) => stages.slice(index).reduce((sum, stage) => sum + (counts.get(stage.id) ?? 0), 0);
  const colors = stageColors(stages);
  return stages.slice(1).map((stage, index) => ({
    from: stages[index]?.name || unknown,
    to: stage.name || unknown,
    rate: percentage(beyond(index + 1), beyond(index)),
    color: colors.get(stage.id) ?? STAGE_DEFAULT_COLOR,
  }));
}

/** How many leads reached each stage or a later one, from the leads' history on the server. */
export const cumulativePoints = (funnel: readonly FunnelStep[]): CumulativePoint[] =>
  funnel
    .toSorted((a, b) => a.order - b.order)
    .map(({ name, reached, cumulative_rate }) => ({ name, reached, rate: cumulative_rate }));
