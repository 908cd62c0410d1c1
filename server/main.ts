import { systemClock } from "./core/clock.ts";
import { ConfigError, readConfig, type Config } from "./core/config.ts";
import { announcement } from "./announcement.ts";
import { isWebBuilt } from "./app.ts";
import { startServer, type RunningServer } from "./server.ts";

const STOP_MS = 14_000;
/** A supervisor's SIGTERM leaves a load balancer time to notice; Ctrl-C in a terminal needs none. */
const LEAVE_MS = { SIGTERM: 1_000, SIGINT: 0 };

function giveUp(lines: string[]): never {
  for (const line of lines) console.error(`leadloom · ${line}`);
  process.exit(1);
}

function explain(error: unknown, config: Config): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === "EADDRINUSE")
    return `Port ${config.port} is in use. Stop what listens there, or choose another: PORT=${config.port + 1} npm start`;
  if (code === "EACCES")
    return `Port ${config.port} may not be opened by this user. Choose one above 1023: PORT=3000 npm start`;
  return message || String(error);
}

/** Stops cleanly on a signal, also during startup. Kills a hanging part before a supervisor would. */
function stopOnSignals(starting: Promise<RunningServer>): void {
  let isStopping = false;
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => {
      if (isStopping) return;
      isStopping = true;
      let server: RunningServer | null = null;
      systemClock.after(STOP_MS, () => {
        console.error(`leadloom · killed while stopping: ${server?.stopping() ?? "startup was not finished"}`);
        process.exit(1);
      });
      void starting.then(async (started) => {
        server = started;
        server.leave();
        await systemClock.sleep(LEAVE_MS[signal]);
        await server.stop();
        process.exit(0);
      });
    });
  }
}

async function main(): Promise<void> {
  let config: Config;
  try {
    config = readConfig(process.env);
  } catch (error) {
    if (error instanceof ConfigError) giveUp(error.problems);
    throw error;
  }
  try {
    const starting = startServer(config);
    stopOnSignals(starting);
    await starting;
    for (const line of announcement(config, isWebBuilt())) console.log(`leadloom · ${line}`);
  } catch (error) {
    giveUp([explain(error, config)]);
  }
}

await main();
