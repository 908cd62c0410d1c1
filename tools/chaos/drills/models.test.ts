import { beforeAll, expect, it } from "vitest";
import { runBatchDue } from "../models/batch-due.ts";
import { runBillingLives } from "../models/billing-lives.ts";
import { runClockJumps } from "../models/clock-jumps.ts";
import { runDueIndex } from "../models/due-index.ts";
import { runResults } from "../models/followup-results.ts";
import { runKeywordPreview } from "../models/keyword-preview.ts";
import { openLeadFilters, runLeadFilters } from "../models/lead-filters.ts";
import { runSearch, runSearchOfThousands } from "../models/lead-search.ts";
import { runLedgerPages } from "../models/ledger-pages.ts";
import { runRearranging, runTwoTabs } from "../models/stage-order.ts";
import { BREAKS, runBreak } from "../models/returning.ts";
import { runStepPlaces } from "../models/step-places.ts";
import { ownEngine } from "../../../tests/support/engine.ts";
import { ownServer } from "../../../tests/support/server.ts";

const timeout = 3_600_000;
const engine = await ownEngine();
const server = await ownServer();

const models: Record<string, (seed: number) => Promise<unknown>> = {
  "due steps after batches": () => runBatchDue(engine),
  "clock jumps": (seed) => {
    const hours = Array.from({ length: 20 }, (_, at) => 1 + ((at * 7 + seed) % 30));
    return runClockJumps(
      engine,
      hours.flatMap((each) => [each * 3_600, -each * 3_600]),
    );
  },
  "due steps": () => runDueIndex(engine, 40),
  keywords: (seed) => runKeywordPreview(server, seed),
  "lead filters": (seed) => runLeadFilters({ rounds: 1_000, seed }),
  "lead search": (seed) => runSearch(server, { rounds: 300, seed }),
  "ledger pages": (seed) => runLedgerPages(engine, { rounds: 300, seed }),
  "results of steps": (seed) => runResults(engine, { lives: 1_000, seed }),
  "reordered stages": (seed) => runRearranging(server, { rounds: 300, seed }),
  "stages in two tabs": (seed) => runTwoTabs(server, { rounds: 500, seed }),
  steps: (seed) =>
    runStepPlaces(
      engine,
      Array.from({ length: 40 }, (_, at) => at * seed),
    ),
  thousands: () => runSearchOfThousands(server),
};
beforeAll(() => openLeadFilters(server));

it.each(Object.entries(models))("%s agree with their model", { timeout }, async (_name, run) => {
  for (const seed of [1, 2, 3]) await expect(run(seed)).resolves.toBeDefined();
});

it("1,000 subscriptions end in the provider's state", { timeout }, async () => {
  expect((await runBillingLives(1_000)).wrong).toEqual({});
});

it.each(Object.keys(BREAKS) as (keyof typeof BREAKS)[])("sends nothing overdue after %s", { timeout }, async (name) => {
  expect(await runBreak(server, name)).toBe(6);
});
