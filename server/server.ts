import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import { buildApp } from "./app.ts";
import { createCredentials, startAuth } from "./auth/index.ts";
import { createBilling, customerOfEmail, startBilling, unknownShare } from "./billing/index.ts";
import { compose } from "./compose.ts";
import type { SandboxClock } from "./core/clock.ts";
import type { Config } from "./core/config.ts";
import { closeGently } from "./core/drain.ts";
import type { Deps, Running } from "./core/deps.ts";
import type { DatabaseOptions } from "./db/index.ts";
import { scheduleErasures } from "./privacy/index.ts";
import { telegramConnection } from "./telegram/index.ts";
import { startWorkers } from "./workers.ts";

export type RunningServer = {
  url: string;
  app: FastifyInstance;
  deps: Deps;
  clock: SandboxClock | null;
  /** Says at /readyz that this process is about to stop, so that a balancer sends people elsewhere. */
  leave(): void;
  /** Stops taking requests, settles what is under way, closes everything. Safe to call twice. */
  stop(): Promise<void>;
};

/** Starts one process of the product as its configuration says: web, worker, or all. */
export async function startServer(
  config: Config,
  options: { database?: DatabaseOptions; logger?: Logger } = {},
): Promise<RunningServer> {
  const { deps, sandboxClock, metrics, close } = await compose(config, options);
  const running: Running[] = [{ stop: close }, { stop: async () => metrics.stop() }];
  let isLeaving = false;
  let stopping: Promise<void> | null = null;
  const stop = () =>
    (stopping ??= (async () => {
      isLeaving = true;
      for (const part of running.toReversed())
        await part.stop().catch((error: unknown) => deps.logger.error({ err: error }, "a part did not stop cleanly"));
    })());
  try {
    const sandbox =
      sandboxClock === null
        ? null
        : await (
            await import("../sandbox/index.ts")
          ).startSandbox({
            config,
            clock: sandboxClock,
            bus: deps.bus,
            logger: deps.logger,
          });
    if (sandbox !== null) running.push(sandbox);
    const billing = createBilling(deps, sandbox?.billing ?? null);
    metrics.gauge(
      "leadloom_billing_unknown_share",
      "Share of sampled customers that the card provider did not know when last asked.",
      () => unknownShare(billing),
    );
    const connection = telegramConnection(config, sandbox?.telegram ?? null);
    const workers = config.role === "web" ? null : await startWorkers(deps, { connection, metrics });
    if (workers !== null) running.push(workers);
    const app = await buildApp(deps, {
      billing,
      connection,
      metrics,
      readiness: workers?.readiness ?? [],
      isStopping: () => isLeaving,
      ...(sandbox === null
        ? {}
        : {
            registerSandbox: (scope) =>
              sandbox.register(scope, { customerOf: (email) => customerOfEmail(billing, email) }),
          }),
    });
    running.push(await startAuth(deps), await startBilling(billing));
    scheduleErasures(deps, createCredentials(deps));
    running.push({ stop: async () => void (await Promise.all([closeGently(app), deps.jobs.stop()])) });
    await app.listen({ host: config.host, port: config.port });
    await deps.jobs.start();
    return { url: config.publicUrl, app, deps, clock: sandboxClock, leave: () => (isLeaving = true), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
