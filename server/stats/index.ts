import * as v from "valibot";
import {
  Conversion,
  ConversionRequest,
  DailyVolume,
  FunnelStep,
  StageShare,
  StatsRange,
  StatsTotal,
  rangeProblem,
} from "../../domain/stats.ts";
import type { Deps } from "../core/deps.ts";
import { refuseInput } from "../core/problem.ts";
import type { Route } from "../core/routes.ts";
import { conversion, dailyVolume, funnel, stageBreakdown, totalLeads, type Range } from "./queries.ts";

/** English messages of the API's `fields` for an invalid end. */
const OF_END = { end_before_start: "Must not be before the start.", range_too_long: "Too long a range." };

function checkRange(range: Range): Range {
  const problem = rangeProblem(range);
  if (problem !== null) throw refuseInput("end", problem, null, OF_END[problem]);
  return range;
}

/** Routes under /api/stats. Ranges are UTC. */
export function registerStats(route: Route, { db }: Deps): void {
  const read = (
    url: string,
    id: string,
    summary: string,
    answer: v.GenericSchema,
    work: (ownerId: string, range: Range) => Promise<unknown>,
  ) =>
    route({
      method: "GET",
      url,
      scope: "read",
      id,
      summary,
      tag: "Stats",
      gate: "subscribed",
      query: StatsRange,
      answer,
      handler: ({ caller, query }) => work(caller.id, checkRange(query)),
    });
  read("/api/stats/volume", "readVolume", "New leads per day", v.array(DailyVolume), (ownerId, range) =>
    dailyVolume(db, ownerId, range),
  );
  read("/api/stats/total", "readTotal", "New leads of a period", StatsTotal, async (ownerId, range) => ({
    total: await totalLeads(db, ownerId, range),
  }));
  read(
    "/api/stats/stage-breakdown",
    "readStageShares",
    "Leads of a period by present stage",
    v.array(StageShare),
    (ownerId, range) => stageBreakdown(db, ownerId, range),
  );
  read("/api/stats/funnel", "readFunnel", "How far the leads of a period came", v.array(FunnelStep), (ownerId, range) =>
    funnel(db, ownerId, range),
  );
  route({
    method: "POST",
    url: "/api/stats/conversions",
    scope: "read",
    id: "readConversion",
    summary: "Read the share of a period's leads that reached a stage",
    tag: "Stats",
    gate: "subscribed",
    body: ConversionRequest,
    answer: Conversion,
    handler: ({ caller, body }) => {
      checkRange(body);
      return conversion(db, caller.id, body);
    },
  });
}
