import path from "node:path";
import type { Clock, Work } from "../server-imports.ts";
import { createDeliveries, type Deliveries } from "./deliveries.ts";
import { advance } from "./lifecycle.ts";
import { dropExpiredResponses, listen } from "./listener.ts";
import { PRICE_ID } from "./catalogue.ts";
import { openStore } from "./store.ts";
import { seconds, type World } from "./world.ts";

export type CardProviderOptions = {
  /** The data folder; the provider's data is in its `sandbox` folder. */
  dir: string;
  clock: Clock;
  work: Work;
  /** Called for each delivery, because the main server's port may be known later. */
  webhookUrl: () => string;
  webhookSecret: string;
  /** Where browsers reach the main server and the hosted pages. Called for each page, because the port may be known later. */
  publicUrl: () => string;
};

export type CardProvider = {
  host: string;
  port: number;
  priceId: string;
  world: World;
  /** Processes deliveries and renewals after a manual change. Resolves when each webhook was attempted once. */
  settle(): Promise<void>;
  deliveries: Pick<Deliveries, "faults" | "flush">;
  close(): Promise<void>;
};

/** Starts the simulated card provider: its API on loopback, its renewals, its webhooks. */
export async function startCardProvider(options: CardProviderOptions): Promise<CardProvider> {
  const store = openStore(path.join(options.dir, "sandbox"));
  dropExpiredResponses(store, options.clock.now());
  const world: World = { store, clock: options.clock, publicUrl: options.publicUrl };
  const deliveries = createDeliveries(world, options);
  let waitingForNext = new AbortController();
  let isClosed = false;
  const tick = (): void => {
    waitingForNext.abort();
    if (isClosed) return;
    const due = store.nextDue();
    if (due !== null && due <= seconds(world)) store.transact(() => advance(world));
    deliveries.wake();
    const next = store.nextDue();
    if (next === null) return;
    waitingForNext = new AbortController();
    options.clock.sleepUntil(next * 1000, waitingForNext.signal).then(tick, () => {});
  };
  const api = await listen(world, tick);
  tick();
  return {
    host: api.host,
    port: api.port,
    priceId: PRICE_ID,
    world,
    deliveries: { faults: deliveries.faults, flush: deliveries.flush },
    async settle() {
      tick();
      await deliveries.flush();
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      waitingForNext.abort();
      await api.close();
      await deliveries.close();
      store.close();
    },
  };
}
