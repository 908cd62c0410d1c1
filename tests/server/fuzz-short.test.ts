import { expect, test } from "vitest";
import { runFuzz } from "../chaos/fuzz-run.ts";

test("a thousand malformed requests to every call are each refused or answered, none by a fault of ours", async () => {
  const { failures, requests, calls, statuses } = await runFuzz({ requests: 1_000, seed: 20_261_121 });
  expect(failures).toEqual([]);
  expect(requests).toBeGreaterThanOrEqual(1_000);
  expect(calls).toBeGreaterThan(90);
  // Refusals of every kind, and good answers, came up: the requests reach past the door.
  for (const status of ["200", "400", "401", "404", "409", "415", "422"]) expect(statuses[status]).toBeGreaterThan(0);
});
