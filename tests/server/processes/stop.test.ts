import { expect, it } from "vitest";
import { runStops } from "../../../tools/chaos/stops-run.ts";
import { databaseUrl } from "./support.ts";

it("completes requests, ends streams and sends nothing twice on SIGTERM", async () => {
  const plan = { stops: 1, clients: 20, streams: 5, leads: 30, databaseUrl: await databaseUrl() };
  const { requests, slowestMs: _slowest, ...figures } = await runStops(plan);
  const clean = { badExits: [], errors: [], reset: [], duplicated: 0, lost: 0 };
  expect(figures).toEqual({ ...clean, stops: 1, streamsEnded: 5, announced: 1, sent: 30 });
  expect(requests).toBeGreaterThanOrEqual(20);
});
