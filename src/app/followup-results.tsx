import type { Range } from "../services/stats.ts";
import { t } from "@lingui/core/macro";
import { useMemo } from "react";
import { useRefreshedReading } from "../machines/reading/reading.machine.ts";
import { Stats } from "../machines/stats/stats.machine.ts";
import { rangeOf } from "../machines/stats/stats.period.ts";
import { createFollowupsGateway } from "../services/followups.ts";
import { createStagesList } from "../services/stages.ts";
import { ResultsTable } from "../views/stats/ResultsTable.tsx";
import type { Services } from "./services.ts";

export default function ResultsContainer({ services }: { services: Services }) {
  const period = Stats.useSelector(({ context }) => context.period);
  const range = useMemo(() => rangeOf(period, services.clock.now()), [period, services]);
  return range && <Results key={`${range.start} ${range.end}`} services={services} range={range} />;
}

function Results({ services: { http, logger }, range }: { services: Services; range: Range }) {
  const results = useRefreshedReading({
    read: (signal) => readResults(http, range, signal),
    what: "the follow-ups' results",
    logger,
  });
  return <ResultsTable results={results} />;
}

/** Results in the order of stages and steps, deleted ones last; null when the server sends none. */
async function readResults(http: Services["http"], { start, end }: Range, signal: AbortSignal) {
  const gateway = createFollowupsGateway(http);
  const results = await gateway.results({ from: start, to: end }, signal);
  if (results === null) return null;
  if (results.every(({ sent }) => sent === 0)) return [];
  const [followups, stages] = await Promise.all([gateway.list(signal), createStagesList(http)(signal)]);
  const places = new Map(stages.map(({ id, name }, index) => [id, { name, index }]));
  const rows = results
    .filter(({ sent }) => sent > 0)
    .map((result) => {
      const followup = followups.find(({ id }) => id === result.followup_id);
      const place = places.get(followup?.stage_id ?? "");
      const step = followup && {
        stage: place?.name ?? t`Unassigned`,
        position: (followup.followup_order ?? 0) + 1,
        message: followup.message ?? "",
      };
      const rank = followup ? (place?.index ?? stages.length) : stages.length + 1;
      return { row: { ...result, step: step ?? null }, rank };
    });
  return rows
    .toSorted((one, other) => one.rank - other.rank || (one.row.step?.position ?? 0) - (other.row.step?.position ?? 0))
    .map(({ row }) => row);
}
