import { expect, it } from "vitest";
import { ownEngine } from "../../../tests/support/servers.ts";
import { runBillingLives } from "../models/billing-lives.ts";
import { runDueIndex } from "../models/due-index.ts";
import { runStepPlaces } from "../models/step-places.ts";

const engine = await ownEngine();
const HOUR_MS = 3_600_000;

it("lives 1,000 subscriptions", { timeout: HOUR_MS }, async () => {
  expect((await runBillingLives(1_000)).wrong).toEqual({});
});

it("finds due steps by index in 100 worlds", { timeout: HOUR_MS }, async () => {
  expect((await runDueIndex(engine, 100)).due).toBeGreaterThan(800);
});

it("sends each step once in 50 worlds", { timeout: HOUR_MS }, async () => {
  const seeds = Array.from({ length: 50 }, (_, seed) => seed);
  expect(await runStepPlaces(engine, seeds)).toBeGreaterThan(200);
});
