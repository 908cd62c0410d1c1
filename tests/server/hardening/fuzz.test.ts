import { expect, it } from "vitest";
import { runFuzz } from "../../../tools/chaos/fuzz-run.ts";

it("responds to malformed requests on every call without a 500", async () => {
  const { failures, requests, calls, statuses } = await runFuzz({ requests: 800, seed: 20_261_121 });
  expect(failures).toEqual([]);
  expect(requests).toBeGreaterThanOrEqual(800);
  expect(calls).toBeGreaterThan(90);
  // Successes and every kind of refusal occurred, so the requests get past the first checks.
  for (const status of ["200", "400", "401", "404", "409", "415", "422"]) expect(statuses[status]).toBeGreaterThan(0);
});
