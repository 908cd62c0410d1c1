import Fastify from "fastify";
import { expect, test } from "vitest";
import { systemClock } from "../../../server/core/clock.ts";
import { registerHealth } from "../../../server/core/health.ts";
import { ownServer } from "../../support/server.ts";

const server = await ownServer();

const read = async (path: string) => {
  const { status, body } = await server.call(`GET`, path);
  return [status, body];
};

test("is alive but not ready with an older schema", async () => {
  const { pool } = server.deps.engine;
  const { rows } = await pool.query<{ version: string }>(
    "delete from supabase_migrations.schema_migrations where version = (select max(version) from supabase_migrations.schema_migrations) and $1 returning version",
    [true],
  );
  expect(await read("/readyz")).toEqual([503, { status: "not_ready", missing: ["schema"] }]);
  expect(await read("/healthz")).toEqual([200, { status: "alive" }]);
  await pool.query("insert into supabase_migrations.schema_migrations (version) values ($1)", [rows[0]?.version]);
  expect(await read("/readyz")).toEqual([200, { status: "ready" }]);
});

test("counts a check as failed after an error or a second", async () => {
  const app = Fastify();
  let isStopping = false;
  const checks = [
    { name: "silent", holds: () => new Promise<boolean>(() => {}) },
    { name: "failing", holds: () => Promise.reject(new Error("a secret of the inside")) },
    { name: "late", holds: async () => false },
    { name: "good", holds: async () => true },
  ];
  registerHealth(app, systemClock, checks, () => isStopping);
  const answer = await app.inject("/readyz");
  expect([answer.statusCode, answer.json()]).toEqual([
    503,
    { status: "not_ready", missing: ["silent", "failing", "late"] },
  ]);
  isStopping = true;
  expect((await app.inject("/readyz")).json()).toEqual({ status: "not_ready", missing: ["stopping"] });
  await app.close();
});
