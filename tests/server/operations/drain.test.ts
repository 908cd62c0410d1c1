import Fastify from "fastify";
import { expect, test } from "vitest";
import { systemClock } from "../../../server/core/clock.ts";
import { registerDrain } from "../../../server/core/drain.ts";
import { registerErrorHandler } from "../../../server/core/errors.ts";

const PATIENT_MS = 600_000;

/** A server whose requests under /slow end on `release`. `closing` resolves when the server begins to close. */
async function slowServer(patienceMs: number) {
  const app = Fastify({ return503OnClosing: false, forceCloseConnections: "idle" });
  registerErrorHandler(app);
  const drain = registerDrain(app, systemClock, () => false, patienceMs);
  const [begun, going, held] = [
    Promise.withResolvers<void>(),
    Promise.withResolvers<void>(),
    Promise.withResolvers<void>(),
  ];
  const slow = async () => {
    begun.resolve();
    await held.promise;
    return { done: true };
  };
  app.get("/slow", slow);
  app.post("/slow", slow);
  app.get("/other", async () => ({}));
  app.addHook("preClose", async () => going.resolve());
  app.addHook("preClose", drain);
  const url = await app.listen({ port: 0, host: "127.0.0.1" });
  return { app, url, begun: begun.promise, closing: going.promise, release: held.resolve };
}
const ask = async (url: string, method = "GET") => {
  const answer = await fetch(url, { method });
  return { status: answer.status, after: answer.headers.get("retry-after"), body: await answer.json() };
};
const RESTARTING = { status: 503, after: "2", body: { code: "restarting" } };

test("completes requests during shutdown, and asks new ones to retry", async () => {
  const { app, url, begun, closing, release } = await slowServer(PATIENT_MS);
  const first = ask(`${url}/slow`);
  await begun;
  const closed = app.close();
  await closing;
  expect(await ask(`${url}/other`)).toMatchObject(RESTARTING);
  release();
  expect(await first).toEqual({ status: 200, after: null, body: { done: true } });
  await closed;
  await expect(ask(`${url}/other`)).rejects.toThrow("fetch failed");
});

test("asks a slow read to retry, and aborts a slow write as uncertain", async () => {
  for (const [method, outcome] of [
    ["GET", { status: "fulfilled", value: RESTARTING }],
    ["POST", { status: "rejected" }],
  ] as const) {
    const { app, url, begun, release } = await slowServer(1);
    const response = Promise.allSettled([ask(`${url}/slow`, method)]);
    await begun;
    await app.close();
    expect(await response).toMatchObject([outcome]);
    release();
  }
});
