import { expect, it } from "vitest";
import { runFreezes } from "../../../tools/chaos/freezes-run.ts";
import { isRealPostgres } from "../../support/database.ts";
import { databaseUrl } from "./support.ts";

it.skipIf(!isRealPostgres)("hands a frozen worker's account to another worker and sends nothing twice", async () => {
  const plan = { freezes: 1, secondsEach: [12], jumps: 0, jumpSeconds: [], sellers: 2, leadsEach: 20 };
  const url = (await databaseUrl()) ?? "";
  const figures = await runFreezes({ ...plan, throttleSeconds: 1, databaseUrl: url }, () => {});
  const clean = { sessionsLost: 0, duplicated: 0, lost: 0, totalsAgree: true };
  expect(figures).toMatchObject({ ...clean, freezes: 1, sent: 40 });
});
