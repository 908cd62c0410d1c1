import fs from "node:fs";
import path from "node:path";
import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import {
  type Bus,
  type Clock,
  type Config,
  type Languages,
  reachableHost,
  type Running,
  type SandboxClock,
  type Work,
} from "./server-imports.ts";
import { registerBillingSandbox } from "./billing/register.ts";
import { startCardProvider } from "./billing/provider.ts";
import { registerClock } from "./clock-routes.ts";
import { registerSandboxPage } from "./page.ts";
import { registerTelegramSandbox } from "./telegram-routes.ts";
import { startTelegramNetwork, type TelegramNetwork } from "./telegram/index.ts";

export type NetworkAddress = TelegramNetwork["connection"];
export type ProviderAddress = { host: string; port: number; priceId: string };
type Addresses = { telegram: NetworkAddress | null; billing: ProviderAddress | null };

/** The simulated services: their addresses, and their pages and control routes, which only the process that runs them registers. */
export type Sandbox = Running &
  Addresses & {
    register(
      app: FastifyInstance,
      options: { customerOf(email: string): Promise<string | null>; languages: Languages },
    ): void;
  };

type SandboxOptions = { config: Config; clock: SandboxClock; bus: Bus; logger: Logger; work: Work };

const OTHER_PROCESS_MS = 10_000;
const LOOK_MS = 200;

/**
 * Starts the simulated network and card provider, or finds those that another process with the same data folder runs. Their data is in the
 * data folder and survives a kill of the process.
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { config, clock, bus, logger } = options;
  const folder = path.join(config.dataDir, "sandbox");
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const external = process.env["LEADLOOM_SANDBOX_EXTERNAL"] === "1";
  if (config.role === "worker" || external) {
    return { ...(await readAddresses(folder, clock)), register: () => {}, stop: async () => {} };
  }
  const network =
    config.telegram.kind === "sandbox" ? await startTelegramNetwork({ dir: folder, clock, logger }) : null;
  const provider = config.billing.kind === "sandbox" ? await startProvider(options) : null;
  const addresses: Addresses = {
    telegram: network?.connection ?? null,
    billing: provider === null ? null : { host: provider.host, port: provider.port, priceId: provider.priceId },
  };
  writeAddresses(folder, addresses);
  return {
    ...addresses,
    register(app, { customerOf, languages }) {
      registerClock(app, clock, bus);
      if (network !== null) registerTelegramSandbox(app, network);
      if (provider !== null) registerBillingSandbox(app, provider, { customerOf, languages });
      registerSandboxPage(app, languages);
    },
    async stop() {
      await Promise.all([network?.close(), provider?.close()]);
    },
  };
}

function startProvider({ config, clock, work }: SandboxOptions) {
  return startCardProvider({
    dir: config.dataDir,
    clock,
    work,
    webhookUrl: () => `http://${reachableHost(config.host)}:${config.port}/webhooks/stripe`,
    webhookSecret: config.billing.webhookSecrets[0] ?? "",
    publicUrl: () => config.publicUrl,
  });
}

const addressFile = (folder: string) => path.join(folder, "addresses.json");

function writeAddresses(folder: string, addresses: Addresses): void {
  fs.writeFileSync(`${addressFile(folder)}.new`, JSON.stringify(addresses), { mode: 0o600 });
  fs.renameSync(`${addressFile(folder)}.new`, addressFile(folder));
}

/** Waits briefly for the process that runs the simulated services to write their addresses. */
async function readAddresses(folder: string, clock: Clock): Promise<Addresses> {
  for (const end = clock.monotonic() + OTHER_PROCESS_MS; ;) {
    try {
      return JSON.parse(fs.readFileSync(addressFile(folder), "utf8")) as Addresses;
    } catch (error) {
      if (clock.monotonic() > end) {
        throw new Error(
          `No process of the data folder ${folder} runs the simulated network and card provider. Start one with ROLE=web first.`,
          { cause: error },
        );
      }
    }
    await clock.sleep(LOOK_MS);
  }
}
