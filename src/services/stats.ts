import * as v from "valibot";
import type { Stage } from "../../domain/stage.ts";
import { Conversion, DailyVolume, FunnelStep, StageShare, StatsTotal } from "../../domain/stats.ts";
import type { Http } from "./http.ts";
import { createStagesList } from "./stages.ts";

/** ISO times, both inclusive. */
export type Range = { start: string; end: string };

const VolumeList = v.array(DailyVolume);
const ShareList = v.array(StageShare);
const Funnel = v.array(FunnelStep);

/** The calls of /stats. Ranges are ISO times, both ends inclusive. */
export const createStatsGateway = (http: Http) => ({
  listStages: createStagesList(http),
  async fetchVolume(range: Range, signal: AbortSignal) {
    return v.parse(VolumeList, await http("/stats/volume", { query: range, signal }));
  },
  async fetchTotal(range: Range, signal: AbortSignal) {
    return v.parse(StatsTotal, await http("/stats/total", { query: range, signal })).total;
  },
  async fetchBreakdown(range: Range, signal: AbortSignal) {
    return v.parse(ShareList, await http("/stats/stage-breakdown", { query: range, signal }));
  },
  async fetchFunnel(range: Range, signal: AbortSignal) {
    return v.parse(Funnel, await http("/stats/funnel", { query: range, signal }));
  },
  async fetchConversion(
    { stageId, start, end, stages }: Range & { stageId: string; stages: readonly Stage[] },
    signal: AbortSignal,
  ) {
    const body = { stage_id: stageId, start, end, stages: stages.map(({ id, order }) => ({ id, order })) };
    return v.parse(Conversion, await http("/stats/conversions", { method: "POST", body, signal }));
  },
});
