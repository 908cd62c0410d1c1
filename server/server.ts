import type { FastifyInstance } from "fastify";
import { buildApp } from "./app.ts";
import { END_SILENT_IMPORTS, endSilentImports } from "./archive/run.ts";
import { createCredentials, startAuth } from "./auth/index.ts";
import { createBilling } from "./billing/context.ts";
import { customerOfEmail } from "./billing/customer.ts";
import { startBilling } from "./billing/reconcile.ts";
import { unknownShare } from "./billing/own-account.ts";
import { compose, type ComposeOptions } from "./compose.ts";
import type { SandboxClock } from "./core/clock.ts";
import { type Config, setListeningPort } from "./core/config.ts";
import type { Deps, Running } from "./core/deps.ts";
import { scheduleErasures } from "./privacy/index.ts";
import { telegramConnection } from "./telegram/index.ts";
import { startWorkers } from "./workers.ts";

export type RunningServer = {
  url: string;
  app: FastifyInstance;
  deps: Deps;
  clock: SandboxClock | null;
  /** Makes /readyz report that this process will stop, so that a load balancer sends requests elsewhere. */
  leave(): void;
  /** Stops accepting requests, finishes current work and closes everything. Safe to call twice. */
  stop(): Promise<void>;
  /** Names the part that is stopping and its current work; null before and after a stop. */
  stopping(): string | null;
};
const ANSWERS_ALONE_MS = 2_000;

type Part = Running & { name: string };

/** Starts one process in its configured role: web, worker or all. */
export async function startServer(config: Config, options: ComposeOptions = {}): Promise<RunningServer> {
  const { deps, sandboxClock, metrics, close } = await compose(config, options);
  const running: Part[] = [
    { name: "the database", stop: close },
    { name: "the figures", stop: async () => metrics.stop() },
  ];
  const begun = (name: string, part: Running): Part => ({ name, stop: () => part.stop() });
  let isLeaving = false;
  let stoppingPart: string | null = null;
  let stopping: Promise<void> | null = null;
  const stop = () =>
    (stopping ??= (async () => {
      isLeaving = true;
      for (const { name, stop: stopPart } of running.toReversed()) {
        stoppingPart = name;
        await stopPart().catch((error: unknown) =>
          deps.logger.error({ err: error, part: name }, "a part did not stop cleanly"),
        );
      }
      stoppingPart = null;
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
            work: deps.work,
          });
    if (sandbox !== null) running.push(begun("the simulated world", sandbox));
    const billing = createBilling(deps, sandbox?.billing ?? null);
    metrics.gauge(
      "leadloom_billing_unknown_share",
      "Share of sampled customers that the card provider did not know when last asked.",
      () => unknownShare(billing),
    );
    const connection = telegramConnection(config, sandbox?.telegram ?? null);
    const workers = config.role === "web" ? null : await startWorkers(deps, { connection, metrics });
    let workersStopping: Promise<void> | null = null;
    const stopWorkers = async () => (workersStopping ??= workers?.stop() ?? Promise.resolve());
    running.push(begun("the background work", { stop: stopWorkers }));
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
              sandbox.register(scope, {
                customerOf: (email) => customerOfEmail(billing, email),
                languages: deps.languages,
              }),
          }),
    });
    running.push(begun("sign-in", await startAuth(deps)), begun("billing", await startBilling(billing)));
    scheduleErasures(deps, createCredentials(deps));
    deps.jobs.schedule(END_SILENT_IMPORTS, "* * * * *", () => endSilentImports(deps));
    running.push({
      name: "answers and scheduled work",
      async stop() {
        // Most responses finish at once, some with the workers' help. Slow ones must not use up the workers' time to stop.
        const cancel = deps.clock.after(ANSWERS_ALONE_MS, () => void stopWorkers().catch(() => {}));
        // A queue that fails to stop must not close the database under pending responses.
        const ended = await Promise.allSettled([app.close(), deps.jobs.stop()]);
        cancel();
        for (const part of ended) if (part.status === "rejected") throw part.reason;
      },
    });
    // Requests are accepted only after everything has started: the queue's start would wait for their statements, and a stop for the queue.
    await deps.jobs.start();
    await app.listen({ host: config.host, port: config.port });
    const address = app.server.address();
    if (typeof address === "object" && address !== null) setListeningPort(config, address.port);
    return {
      url: config.publicUrl,
      app,
      deps,
      clock: sandboxClock,
      leave: () => (isLeaving = true),
      stop,
      stopping: () => stoppingPart && [stoppingPart, ...deps.work.inFlight()].join(", "),
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
