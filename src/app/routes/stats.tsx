import { msg } from "@lingui/core/runtime-macro";
import { useEffect, useMemo, useState } from "react";
import { navigate } from "wouter/use-browser-location";
import { periodOf, searchOf, type Period } from "../../machines/stats/stats.period.ts";
import { Stats, createStats } from "../../machines/stats/stats.machine.ts";
import { createScreenAddress } from "../../services/address.ts";
import { StatsView } from "../../views/stats/StatsView.tsx";
import { createPart } from "../loading/loadable.tsx";
import type { Services } from "../services.ts";

export default function StatsRoute({ services }: { services: Services }) {
  const { stats, watchAddress } = useMemo(() => logicOf(services), [services]);
  const [entry, setEntry] = useState(() => ({ period: periodOf(window.location.search), count: 0 }));
  useEffect(
    () => watchAddress(entry.period, (period) => setEntry(({ count }) => ({ period, count: count + 1 }))),
    [watchAddress, entry],
  );
  return (
    <Stats.Provider key={entry.count} logic={stats} options={{ input: { period: entry.period } }}>
      <StatsView
        results={
          <>
            <ValuesContainer services={services} />
            <ResultsContainer services={services} />
          </>
        }
      />
    </Stats.Provider>
  );
}

/** Shows sums if a field is the value field. */
function ValuesContainer({ services }: { services: Services }) {
  const hasValues = Stats.useSelector(
    ({ context }) => context.figures.breakdown?.some(({ value }) => value !== undefined) === true,
  );
  return hasValues && <StageValues services={services} />;
}

const StageValues = createPart(msg`the sums by stage`, () => import("../stage-values.tsx"));

const loadResults = () => import("../followup-results.tsx");
const ResultsContainer = createPart(msg`the follow-ups' results`, loadResults);

// Most users see them, so their code loads in parallel with the screen's.
loadResults().catch(() => {});

function logicOf(services: Services) {
  let shown = "";
  return {
    stats: createStats(services, {
      now: services.clock.now,
      rememberPeriod(period) {
        shown = searchOf(period);
        navigate(window.location.pathname + shown, { replace: true });
      },
    }),
    /** Reports a period other than the one shown: a link to this screen, Back and Forward do not leave the screen. */
    watchAddress(period: Period, listener: (period: Period) => void) {
      shown = searchOf(period);
      const address = createScreenAddress("/stats");
      return address.subscribe(() => {
        const asked = periodOf(address.read());
        if (searchOf(asked) !== shown) listener(asked);
      });
    },
  };
}
