import { storedReason } from "../../domain/stored-reasons.ts";
import { WEBHOOK_IN_FLIGHT_MAX } from "../../domain/webhook.ts";
import { publishEvent } from "../core/bus.ts";
import type { Cancel } from "../core/clock.ts";
import type { Deps, Running } from "../core/deps.ts";
import { createVault } from "../core/vault.ts";
import { runWorker } from "../core/worker.ts";
import { bodyOf } from "./body.ts";
import { createPoster, type Poster, type PostOutcome } from "./post.ts";
import { claimDue, findOpen, releaseLeases, settle, type DueDelivery, type Settled } from "./queue.ts";

/** Limits of deliveries in flight per process, separate for working and for failing receivers. */
const IN_FLIGHT_MAX = { accepting: 1_024, failing: 128 } as const;
/** After a lost notification or a killed process, deliveries are late by about this plus a lease. */
const SWEEP_MS = 5_000;
const RETRY_MS = 1_000;
/** How often open pages hear of a webhook's deliveries at most. */
const PUBLISH_MS = 1_000;

/** Delivers events to webhooks: a worker stores the results of posts, claims what is due, and posts it without waiting for the answers. */
export async function startWebhookCourier(
  deps: Deps,
  options: { poster?: Poster; onTry?: (state: Settled["state"]) => void } = {},
): Promise<Running> {
  const { db, bus, clock, engine, config } = deps;
  const logger = deps.logger.child({ part: "webhooks" });
  const vault = createVault(config.encryptionKeys);
  const poster = options.poster ?? createPoster({ clock, allowPrivate: config.webhookAllowPrivate });
  const work = deps.work.part("webhooks");
  /** The webhooks to claim for, in turn, and those whose receivers fail. */
  const ready = new Set<string>();
  let failing = new Set<string>();
  const inFlight = new Set<DueDelivery>();
  const tried: [DueDelivery, PostOutcome][] = [];
  const publishing = new Map<string, Cancel>();
  /** When all webhooks are checked again, on the steady clock. */
  let sweepAt = -Infinity;
  let isStopping = false;
  let wake = () => {};

  const sweepNow = (): void => {
    sweepAt = -Infinity;
    wake();
  };
  const sweepNoLaterThan = (at: number): void => {
    sweepAt = Math.min(sweepAt, clock.monotonic() + at - clock.now());
  };
  const claimFor = (webhookId: string): void => {
    ready.add(webhookId);
    wake();
  };

  const post = async (delivery: DueDelivery): Promise<PostOutcome> => {
    const { webhookId, ownerId, url, keyVersion: version, sealed, eventKey } = delivery;
    let secret: string;
    try {
      const binding = { userId: ownerId, rowId: webhookId };
      secret = vault.open({ version, bytes: Buffer.from(sealed) }, binding).toString();
    } catch (error) {
      logger.error({ err: error, webhook: webhookId }, "a webhook's secret could not be opened");
      return { status: null, error: storedReason("secret_unreadable") };
    }
    return poster.post({ url, secret, eventKey, body: bodyOf(delivery) });
  };

  const deliver = async (delivery: DueDelivery): Promise<void> => {
    inFlight.add(delivery);
    const outcome = await post(delivery);
    // A stop does not wait for responses: the next process posts again.
    if (isStopping && outcome.error !== null) return;
    tried.push([delivery, outcome]);
    wake();
  };

  const settleTried = async (): Promise<void> => {
    if (tried.length === 0) return;
    const settled = await settle(deps, [...tried]);
    tried.splice(0, settled.length);
    for (const { delivery, state, next } of settled) {
      inFlight.delete(delivery);
      ready.add(delivery.webhookId);
      if (state !== "delivered") failing.add(delivery.webhookId);
      if (next !== null) sweepNoLaterThan(next);
      options.onTry?.(state);
      publishChange(delivery);
    }
    // A receiver that accepted any of them is not failing.
    for (const { delivery, state } of settled) if (state === "delivered") failing.delete(delivery.webhookId);
  };

  const publishChange = ({ webhookId: id, ownerId }: DueDelivery): void => {
    if (publishing.has(id)) return;
    const cancel = clock.after(PUBLISH_MS, () => {
      publishing.delete(id);
      publishEvent(bus, ownerId, "webhook.changed", { id }).catch(() => {});
    });
    publishing.set(id, cancel);
  };

  const sweep = async (): Promise<void> => {
    const open = await findOpen(deps);
    sweepAt = clock.monotonic() + SWEEP_MS;
    failing = new Set(open.filter(({ isFailing }) => isFailing).map(({ id }) => id));
    for (const { id, isDue, at } of open) {
      if (isDue) ready.add(id);
      else sweepNoLaterThan(at);
    }
  };

  /** Takes the next webhooks off the list, as many as have room for all the deliveries that each may have in flight. */
  const takeReady = (): string[] => {
    const failed = [...inFlight].filter(({ isFailing }) => isFailing).length;
    const room = {
      // Receivers that began to fail during their deliveries can exceed the limit.
      accepting: IN_FLIGHT_MAX.accepting - (inFlight.size - Math.min(failed, IN_FLIGHT_MAX.failing)),
      failing: IN_FLIGHT_MAX.failing - failed,
    };
    const chosen = [...ready].filter((id) => {
      const [kind, slots] = failing.has(id)
        ? (["failing", 1] as const)
        : (["accepting", WEBHOOK_IN_FLIGHT_MAX] as const);
      room[kind] -= slots;
      return room[kind] >= 0;
    });
    for (const id of chosen) ready.delete(id);
    return chosen;
  };

  // The embedded database serves one process, so the holder of these leases is dead.
  if (engine.kind === "pglite") await releaseLeases(db, null);
  const worker = runWorker(
    { clock, work },
    {
      name: "look for more",
      idleMs: SWEEP_MS,
      retryMs: RETRY_MS,
      wakeOn(wakeWorker) {
        wake = wakeWorker;
        return [
          bus.on("webhook.ready", ({ webhook_id }) => claimFor(webhook_id)),
          bus.on("clock.moved", sweepNow),
          bus.on("subscription.changed", sweepNow),
          bus.onGap(sweepNow),
        ];
      },
      onFailure(error) {
        logger.warn({ err: error }, "delivering to webhooks failed, trying again");
        sweepAt = -Infinity;
      },
      async work() {
        await settleTried();
        if (clock.monotonic() >= sweepAt) await sweep();
        const chosen = takeReady();
        if (chosen.length > 0 && !isStopping) {
          const { due, unfinished } = await claimDue(deps, chosen);
          for (const delivery of due) void work.track("deliver", deliver(delivery));
          unfinished.forEach(claimFor);
          // If the chosen webhooks had nothing to claim, no response of theirs wakes this worker.
          if (ready.size > 0) return "now";
        }
        return clock.now() + sweepAt - clock.monotonic();
      },
    },
  );
  return {
    async stop() {
      isStopping = true;
      await poster.stop();
      await worker.stop();
      await work.settled();
      await settleTried();
      for (const cancel of publishing.values()) cancel();
      const unsettled = [...inFlight].map(({ id }) => id);
      await releaseLeases(db, unsettled);
    },
  };
}
