import { storedReason } from "../../domain/stored-reasons.ts";
import { WEBHOOK_IN_FLIGHT_MAX } from "../../domain/webhook.ts";
import { publishEvent } from "../core/bus.ts";
import type { Deps, Running } from "../core/deps.ts";
import { createVault } from "../core/vault.ts";
import { runWorker } from "../core/worker.ts";
import { bodyOf } from "./body.ts";
import { createPoster, type Poster, type PostOutcome } from "./post.ts";
import { claimDue, sweepOpenWebhooks, settle, type DeliveryState, type DueDelivery } from "./queue.ts";

/** Deliveries in flight per process at most, and those of them to failing receivers. */
const IN_FLIGHT_MAX = 1_024;
const FAILING_MAX = 128;
/** Retries are late by this at most, deliveries after a lost notification too, and after a killed process by a lease more. */
const SWEEP_MS = 5_000;
const RETRY_MS = 1_000;
/** Open pages are notified of a webhook's deliveries at most this often. */
const PUBLISH_MS = 1_000;

/** Delivers events to webhooks: a worker stores the results of posts, claims what is due, and posts it without waiting for the answers. */
export async function startWebhookCourier(
  deps: Deps,
  options: { poster?: Poster; onTry?: (state: DeliveryState) => void } = {},
): Promise<Running> {
  const { bus, clock, config } = deps;
  const logger = deps.logger.child({ part: "webhooks" });
  const vault = createVault(config.encryptionKeys);
  const poster = options.poster ?? createPoster({ clock, allowPrivate: config.webhookAllowPrivate });
  const work = deps.work.part("webhooks");
  /** The webhooks to claim for, in turn, and those whose receivers fail. */
  const ready = new Set<string>();
  let failing = new Set<string>();
  const inFlight = new Set<DueDelivery>();
  const tried: [DueDelivery, PostOutcome][] = [];
  /** The webhooks whose deliveries open pages must be notified of, with their owners. */
  const changed = new Map<string, string>();
  /** When all webhooks are checked again, on the steady clock. */
  let sweepAt = -Infinity;
  let isStopping = false;
  let wake = () => {};

  const sweepNow = (): void => {
    sweepAt = -Infinity;
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
    // A stop does not wait for responses: another process posts again when the lease is over.
    if (isStopping && outcome.error !== null) return;
    tried.push([delivery, outcome]);
    wake();
  };

  const settleTried = async (): Promise<void> => {
    if (tried.length === 0) return;
    const settled = await settle(deps, [...tried]);
    tried.splice(0, settled.length);
    for (const { delivery, state } of settled) {
      const { webhookId, ownerId } = delivery;
      inFlight.delete(delivery);
      ready.add(webhookId);
      changed.set(webhookId, ownerId);
      if (state !== "delivered") failing.add(webhookId);
      options.onTry?.(state);
    }
    // A receiver that accepted any of them is not failing.
    for (const { delivery, state } of settled) if (state === "delivered") failing.delete(delivery.webhookId);
  };

  const sweep = async (): Promise<void> => {
    const open = await sweepOpenWebhooks(deps);
    sweepAt = clock.monotonic() + SWEEP_MS;
    failing = new Set(open.filter(({ isFailing }) => isFailing).map(({ id }) => id));
    for (const { id, isDue } of open) if (isDue) ready.add(id);
  };

  /** Takes the next webhooks off the list, as many as have room for all the deliveries that each may have in flight. */
  const takeReady = (): string[] => {
    let room = IN_FLIGHT_MAX - inFlight.size;
    let failingRoom = FAILING_MAX - [...inFlight].filter(({ isFailing }) => isFailing).length;
    const chosen = [...ready].filter((id) => {
      const isFailing = failing.has(id);
      if (isFailing && failingRoom <= 0) return false;
      if (isFailing) failingRoom -= 1;
      room -= isFailing ? 1 : WEBHOOK_IN_FLIGHT_MAX;
      return room >= 0;
    });
    for (const id of chosen) ready.delete(id);
    return chosen;
  };

  const stopPublishing = clock.every(PUBLISH_MS, () => {
    for (const [id, ownerId] of changed) publishEvent(bus, ownerId, "webhook.changed", { id }).catch(() => {});
    changed.clear();
  });
  const worker = runWorker(
    { clock, work },
    {
      name: "look for more",
      idleMs: SWEEP_MS,
      retryMs: RETRY_MS,
      wakeOn(wakeWorker) {
        wake = wakeWorker;
        return [
          bus.on("webhook.ready", ({ webhook_id }) => {
            ready.add(webhook_id);
            wake();
          }),
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
          for (const delivery of await claimDue(deps, chosen)) void work.track("deliver", deliver(delivery));
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
      stopPublishing();
    },
  };
}
