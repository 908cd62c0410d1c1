import fs from "node:fs";
import http from "node:http";
import os from "node:os";
import path from "node:path";
import { Stripe } from "stripe";
import { createWork } from "../../../server/core/work.ts";
import { startCardProvider, type CardProvider } from "../../../sandbox/billing/index.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";
import { untilIdle } from "../../support/waiting.ts";

const SECRET = "whsec_of_the_test";

/** A shop's webhook that keeps what it hears, and answers what it is told to. */
async function startShop() {
  const heard: Stripe.Event[] = [];
  const shop = { status: 200, heard, now: (): number => 0 };
  const listeners = new Set<() => void>();
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks);
      const header = request.headers["stripe-signature"] ?? "";
      try {
        heard.push(Stripe.webhooks.constructEvent(body, header, SECRET, 300, undefined, shop.now()));
        response.writeHead(shop.status).end();
      } catch {
        // The clock was moved while it was on its way.
        response.writeHead(400).end();
      }
      listeners.forEach((listener) => listener());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return Object.assign(shop, {
    url: `http://127.0.0.1:${port}/webhooks/stripe`,
    types: () => heard.map(({ type }) => type),
    /** Resolves once something was heard that fits. */
    async hears(fits: () => boolean): Promise<void> {
      while (!fits()) {
        const turn = Promise.withResolvers<void>();
        listeners.add(turn.resolve);
        await turn.promise;
        listeners.delete(turn.resolve);
      }
    },
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
}

export const sdk = ({ host, port }: { host: string; port: number }): Stripe =>
  new Stripe("sk_test_simulated", { host, port, protocol: "http", telemetry: false, maxNetworkRetries: 0 });

/** A provider with a shop that listens, in a folder and with a clock of its own. */
export async function startProvider() {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), "leadloom-cards-"));
  const work = createWork();
  const clock = createVirtualClock(work, Date.now());
  const shop = await startShop();
  shop.now = clock.now;
  const options = {
    dir,
    clock,
    work,
    webhookUrl: () => shop.url,
    webhookSecret: SECRET,
    publicUrl: () => "http://127.0.0.1:9",
  };
  const provider: CardProvider = await startCardProvider(options);
  return {
    dir,
    clock,
    shop,
    provider,
    options,
    stripe: sdk(provider),
    /** Resolves when what is due is told and written down. */
    idle: () => untilIdle(work),
    /** Lets time pass: what falls due is told at its time. */
    pass: (seconds: number) => clock.pass(seconds * 1000),
    async stop() {
      await provider.close();
      await shop.stop();
      fs.rmSync(dir, { recursive: true, force: true });
    },
  };
}
export type Sandbox = Awaited<ReturnType<typeof startProvider>>;
