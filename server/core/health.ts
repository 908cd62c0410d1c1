import type { FastifyInstance, FastifyReply } from "fastify";
import { isMigrated } from "../db/migrate.ts";
import { withTimeout, type Clock } from "./clock.ts";
import type { Deps } from "./deps.ts";

/** A named condition of readiness; false or a failure means not ready. */
export type ReadinessCheck = { name: string; holds: () => Promise<boolean> };

const CHECK_MS = 1_000;

const withinTime = (clock: Clock, holds: Promise<boolean>): Promise<boolean> =>
  withTimeout(clock, CHECK_MS, holds, () => false).catch(() => false);

/** The database answers within a second and its schema is the newest. */
export const databaseChecks = ({ engine }: Pick<Deps, "engine">): ReadinessCheck[] => {
  let migrated = false;
  return [
    {
      name: "database",
      holds: async () => (await engine.pool.query("select 1 as one where $1", [true])).rows.length === 1,
    },
    { name: "schema", holds: async () => (migrated ||= await isMigrated(engine.pool)) },
  ];
};

const notReady = (reply: FastifyReply, missing: string[]) =>
  reply.header("cache-control", "no-store").code(503).send({ status: "not_ready", missing });

/** `/healthz`: the process runs. `/readyz`: it can serve requests; a 503 lists only the names of failed checks. */
export function registerHealth(
  app: FastifyInstance,
  clock: Clock,
  checks: readonly ReadinessCheck[],
  isStopping: () => boolean,
): void {
  app.get("/healthz", (_request, reply) => reply.header("cache-control", "no-store").send({ status: "alive" }));
  app.get("/readyz", async (_request, reply) => {
    // Answered at once, without the other checks, so that load balancers stop sending requests sooner.
    if (isStopping()) return notReady(reply, ["stopping"]);
    const results = await Promise.all(
      checks.map(async ({ name, holds }) => ({ name, ok: await withinTime(clock, holds()) })),
    );
    const missing = results.filter(({ ok }) => !ok).map(({ name }) => name);
    if (missing.length > 0) return notReady(reply, missing);
    return reply.header("cache-control", "no-store").send({ status: "ready" });
  });
}
