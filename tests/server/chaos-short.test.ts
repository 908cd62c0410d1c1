import { expect, it } from "vitest";
import { runScenario } from "../chaos/scenario.ts";

it(
  "reaches every person once though the server is killed five times and answers are lost",
  { timeout: 240_000 },
  async () => {
    const figures = await runScenario(
      { name: "short", databaseUrl: null, workers: 0, sellers: 1, leadsEach: 60, kills: 5, seed: 7 },
      () => {},
    );
    expect(figures).toMatchObject({ leads: 60, kills: 5, sent: 60, duplicated: 0, lost: 0, totalsAgree: true });
  },
);
