import { FORECAST_LISTED, type Forecast } from "../../domain/forecast.ts";
import type { RunFacts } from "../../domain/forecast-facts.ts";
import { startRun, type Run, type RunSend } from "../../domain/forecast-run.ts";
import { nextTurn } from "../core/clock.ts";
import type { Deps } from "../core/deps.ts";
import type { Db } from "../db/index.ts";
import { refreshPlansOf } from "../followups/stale-plans.ts";
import { factsOf, readForecastInput, type ForecastInput } from "./facts.ts";
import { itemsOf } from "./items.ts";
import { readUses, type UseRow } from "./read.ts";
import { countOverdue, countStates } from "./waiting.ts";

const HOUR_MS = 3_600_000;
/** Steps of a run before the event loop gets a turn. */
const TURNS = 10_000;
/** Stale plans are refreshed first, for at most this long. */
const REFRESH_MS = 1_000;
/** At most this many leads are checked for steps that the run assumed to be unused. */
const USES_READ = 2_000;

/** Returns the sends of the next hours, assuming that no lead writes, and what all leads wait for. */
export async function readForecast(
  deps: Pick<Deps, "db" | "clock" | "languages">,
  ownerId: string,
  hours: number,
): Promise<Forecast> {
  await refreshPlansOf(deps.db, ownerId, REFRESH_MS);
  const now = deps.clock.now();
  const until = now + hours * HOUR_MS;
  // The count may cover all leads, so it runs in parallel on its own session.
  const [overdue, { input, sends }] = await Promise.all([
    countOverdue(deps.db, ownerId, now),
    readForecastInput(deps.db, ownerId, now, until).then(async (input) => ({
      input,
      sends: await findSends(deps.db, input),
    })),
  ]);
  return {
    now: new Date(now).toISOString(),
    until: new Date(until).toISOString(),
    items: await itemsOf(deps, ownerId, input, sends.slice(0, FORECAST_LISTED)),
    waiting: countWaiting(input, overdue),
    by_hour: byHour(now, until, sends),
    total: sends.length,
  };
}

/** Runs the forecast to its end. Reads the uses of steps that it assumed to be unused; if they change anything, runs again. */
async function findSends(db: Db, input: ForecastInput): Promise<RunSend[]> {
  const { sends, assumed } = await runThrough(factsOf(input));
  if (assumed.size === 0) return sends;
  const uses = await readUses(db, [...assumed].slice(0, USES_READ));
  return changesAnything(input, uses) ? (await runThrough(factsOf(input, uses))).sends : sends;
}

async function runThrough(facts: RunFacts): Promise<Run> {
  const run = startRun(facts);
  while (run.advance(TURNS)) await nextTurn();
  return run;
}

/** Whether a use affects a step at or after a lead's cursor; the run already knows that earlier steps were used. */
function changesAnything(input: ForecastInput, uses: readonly UseRow[]): boolean {
  const places = new Map(input.steps.map((step) => [step.id, step.place]));
  const cursors = new Map([...input.candidates, ...input.queue].map((lead) => [lead.lead_id, lead.cursor ?? 0]));
  return uses.some((use) => (places.get(use.followup_id) ?? -1) >= (cursors.get(use.lead_id) ?? 0));
}

function countWaiting(input: ForecastInput, overdue: number): Forecast["waiting"] {
  // Ordered by place, so the last step of a stage wins.
  const last = new Map(input.steps.map((step) => [step.stage_id, step.place]));
  return countStates(factsOf({ ...input, candidates: [] }), input.groups, last, overdue);
}

/** Counts the sends in each UTC hour of the period. */
function byHour(now: number, until: number, sends: readonly RunSend[]): Forecast["by_hour"] {
  const first = Math.floor(now / HOUR_MS);
  const counts = Array.from({ length: Math.ceil(until / HOUR_MS) - first }, () => 0);
  for (const { at } of sends) {
    const place = Math.floor(at / HOUR_MS) - first;
    counts[place] = (counts[place] ?? 0) + 1;
  }
  return counts.map((count, place) => ({ hour: new Date((first + place) * HOUR_MS).toISOString(), count }));
}
