import { expect, test } from "vitest";
import { runStops } from "../../chaos/stops-run.ts";

test("a server that is asked to stop under load says so, answers what is open, ends its streams, and sends nothing twice", async () => {
  const {
    requests,
    slowestMs: _slowest,
    ...figures
  } = await runStops({
    stops: 2,
    clients: 20,
    streams: 5,
    leads: 60,
    databaseUrl: null,
  });
  expect(figures).toEqual({
    stops: 2,
    badExits: [],
    errors: [],
    reset: [],
    streamsEnded: 10,
    announced: 2,
    sent: 60,
    duplicated: 0,
    lost: 0,
  });
  // Each of the callers was answered before each stop.
  expect(requests).toBeGreaterThanOrEqual(2 * 20);
});
