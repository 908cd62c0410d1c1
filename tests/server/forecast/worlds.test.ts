import { expect, it } from "vitest";
import { compareForecasts } from "../../../tools/chaos/forecast-run.ts";

it("forecasts the same sends in the same order and minute as the engine", async () => {
  const figures = await compareForecasts({ worlds: 20, seed: 8, people: 5, print: () => {} });
  expect(figures).toMatchObject({ worlds: 20, wrong: [], predicted: figures.received });
  expect(figures.received).toBeGreaterThan(50);
  expect(Object.keys(figures.kinds).toSorted()).toEqual(["bulk", "followup", "reminder"]);
});
