import { once } from "node:events";
import Fastify from "fastify";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { disconnectSignal } from "../../../server/core/routes.ts";
import { ReadAborted, untilAborted, type Pool, type PoolClient } from "../../../server/db/index.ts";

/** A pool with a single session, available once `isFree` resolves. It records the statements. */
function onlySession(isFree: Promise<void>) {
  const statements: string[] = [];
  const waiting = Promise.withResolvers<void>();
  let releases = 0;
  const session = {
    query: async (text: string) => {
      statements.push(text);
      return { rows: [], rowCount: 0, command: "SELECT" };
    },
    release: () => void (releases += 1),
  } as PoolClient;
  const connect = () => {
    waiting.resolve();
    return isFree.then(() => session);
  };
  return { pool: { connect } as Pool, statements, releases: () => releases, waiting: waiting.promise };
}

test("stops an aborted search between steps, and leaves no open transaction", async () => {
  const { pool, statements, releases } = onlySession(Promise.resolve());
  const caller = new AbortController();
  const reading = untilAborted({ pool }, caller.signal)
    .transaction()
    .execute(async (tx) => {
      await sql`select 1`.execute(tx);
      caller.abort();
      await sql`select 2`.execute(tx);
    });
  await expect(reading).rejects.toThrow(ReadAborted);
  expect([statements, releases()]).toEqual([["begin", "select 1", "rollback"], 1]);
});

test("detects a client that disconnects before the response, and no other", async () => {
  const app = Fastify({ forceCloseConnections: true });
  const signals: AbortSignal[] = [];
  const arrived = Promise.withResolvers<void>();
  app.get("/at-once", async (_request, reply) => {
    signals.push(disconnectSignal(reply));
    return {};
  });
  app.get("/later", async (_request, reply) => {
    const gone = disconnectSignal(reply);
    signals.push(gone);
    arrived.resolve();
    await once(gone, "abort");
    return {};
  });
  const url = await app.listen({ host: "127.0.0.1", port: 0 });
  expect(await (await fetch(`${url}/at-once`)).json()).toEqual({});
  const caller = new AbortController();
  const asking = fetch(`${url}/later`, { signal: caller.signal });
  await arrived.promise;
  caller.abort();
  await expect(asking).rejects.toMatchObject({ name: "AbortError" });
  if (signals[1]?.aborted === false) await once(signals[1], "abort");
  expect(signals.map(({ aborted }) => aborted)).toEqual([false, true]);
  await app.close();
});
