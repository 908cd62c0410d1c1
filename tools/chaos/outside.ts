// The simulated outside world, in its own process that chaos never kills: Telegram's network and the payment provider.
import Fastify from "fastify";
import { pino } from "pino";
import type { Bus } from "../../server/core/bus.ts";
import { createSandboxClock } from "../../server/core/clock.ts";
import { openLanguages } from "../../server/core/languages.ts";
import { createWork } from "../../server/core/work.ts";
import { readConfig } from "../../server/core/config.ts";
import { registerErrorHandler } from "../../server/core/errors.ts";
import { startSandbox } from "../../sandbox/index.ts";

const config = readConfig(process.env);
const silentBus: Bus = {
  publish: async () => {},
  publishAll: async () => {},
  on: () => () => {},
  onGap: () => () => {},
};
const sandbox = await startSandbox({
  config,
  clock: createSandboxClock(`${config.dataDir}/sandbox`),
  bus: silentBus,
  work: createWork(),
  logger: pino({ level: "silent" }),
});
const app = Fastify();
registerErrorHandler(app);
sandbox.register(app, { customerOf: async () => null, languages: openLanguages() });
const url = await app.listen({ host: "127.0.0.1", port: Number(process.env["OUTSIDE_PORT"]) });
process.stdout.write(`${url}\n`);
