import path from "node:path";
import type { Logger } from "pino";
import { createBus } from "./core/bus.ts";
import { createSandboxClock, systemClock, type Clock, type SandboxClock } from "./core/clock.ts";
import { simulatedParts, type Config } from "./core/config.ts";
import type { Deps } from "./core/deps.ts";
import { createJobs } from "./core/jobs.ts";
import { openLanguages } from "./core/languages.ts";
import { createLogger } from "./core/logging.ts";
import { createMetrics, watchDatabase, type Metrics } from "./core/metrics.ts";
import { createWork } from "./core/work.ts";
import { openDatabase, type DatabaseOptions } from "./db/index.ts";
import { keepOutboxKey } from "./outbox/names.ts";

export type Composed = { deps: Deps; sandboxClock: SandboxClock | null; metrics: Metrics; close(): Promise<void> };

/** What a caller may bring instead of what the configuration says. */
export type ComposeOptions = { database?: DatabaseOptions; logger?: Logger; createJobs?: typeof createJobs };

/**
 * Opens what every feature is handed: database, clock, bus, job queue, log.
 * The clock can be moved only while a part is simulated.
 */
export async function compose(config: Config, options: ComposeOptions = {}): Promise<Composed> {
  const logger = options.logger ?? createLogger(config.logLevel);
  const onError = (error: Error) => logger.warn({ err: { message: error.message } }, "a database connection was lost");
  const { db, engine, close } = await openDatabase(
    options.database ?? (config.database.kind === "postgres" ? { ...config.database, onError } : config.database),
  );
  await keepOutboxKey(db, config);
  const sandboxClock =
    simulatedParts(config).length === 0 ? null : createSandboxClock(path.join(config.dataDir, "sandbox"));
  const clock: Clock = sandboxClock ?? systemClock;
  const work = createWork();
  const onBadMessage = (error: unknown) => logger.error({ err: error }, "a notification could not be read");
  const bus = await createBus(db, engine, onBadMessage, work);
  if (sandboxClock !== null) {
    bus.on("clock.moved", () => sandboxClock.reload());
    bus.onGap(() => sandboxClock.reload());
  }
  const metrics = createMetrics();
  watchDatabase(metrics, engine);
  const jobs = (options.createJobs ?? createJobs)(
    { engine, clock, logger, work },
    { runsWork: config.role !== "web", onRun: metrics.observeJob },
  );
  return {
    deps: { config, db, engine, clock, bus, jobs, languages: openLanguages(), logger, work },
    sandboxClock,
    metrics,
    close,
  };
}
