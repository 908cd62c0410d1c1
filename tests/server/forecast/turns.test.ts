import Fastify from "fastify";
import { Kysely, PostgresDialect, type PostgresPool } from "kysely";
import { expect, test } from "vitest";
import { createWork } from "../../../server/core/work.ts";
import { systemClock } from "../../../server/core/clock.ts";
import type { Deps } from "../../../server/core/deps.ts";
import { registerErrorHandler } from "../../../server/core/errors.ts";
import { createRouter } from "../../../server/core/routes.ts";
import type { Database } from "../../../server/db/schema.ts";
import { registerForecast } from "../../../server/forecast/index.ts";

const ANN = "00000000-0000-0000-0000-000000000001";
const BEN = "00000000-0000-0000-0000-000000000002";

test("forecasts of one owner are read one at a time, and those that are too many are told to come back", async () => {
  const away = Promise.withResolvers<never>();
  let reading = 0;
  const pool = {
    connect() {
      reading += 1;
      return away.promise;
    },
    end: async () => {},
  } as unknown as PostgresPool;
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
  const app = Fastify();
  registerErrorHandler(app);
  const route = createRouter(
    app,
    {
      authenticate: async (id = ANN) => {
        return { id, email: "", sessionId: "", claims: { sub: id, role: "authenticated" }, key: null };
      },
      hasSubscription: async () => true,
    },
    { clock: systemClock, work: createWork() },
  );
  registerForecast(route, { db, clock: systemClock } as Deps);
  let turnedAway = 0;
  const ask = (owner: string) => app.inject({ url: "/api/forecast", headers: { authorization: owner } });
  const asked = Array.from({ length: 206 }, async () => {
    const answer = await ask(ANN);
    if (answer.statusCode === 429) turnedAway += 1;
    return answer.json<{ code: string }>().code;
  });
  await expect.poll(() => turnedAway).toBe(5);
  expect(reading).toBe(1);
  const other = ask(BEN);
  await expect.poll(() => reading).toBe(2);
  away.reject(new Error("the end of this test"));
  expect((await Promise.all(asked)).filter((code) => code === "too_many_requests")).toHaveLength(5);
  await other;
  await app.close();
});
