import { expect, it } from "vitest";
import { runScenario } from "../../../tools/chaos/scenario.ts";
import { databaseUrl } from "./support.ts";

it("sends every bulk message once when processes are killed", async () => {
  const url = await databaseUrl();
  const plan = { name: "short", databaseUrl: url, workers: url === null ? 0 : 1, sellers: 1, leadsEach: 24, kills: 2 };
  const figures = await runScenario({ ...plan, seed: 7 }, () => {});
  expect(figures).toMatchObject({ leads: 24, kills: 2, sent: 24, duplicated: 0, lost: 0, totalsAgree: true });
});
