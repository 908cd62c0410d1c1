import { storedReason } from "../../domain/stored-reasons.ts";
import { publishEvent } from "../core/bus.ts";
import type { Cancel } from "../core/clock.ts";
import type { Deps, Running } from "../core/deps.ts";
import { createVault } from "../core/vault.ts";
import { createWake } from "../core/wake.ts";
import { bodyOf } from "./body.ts";
import { createPoster, type Poster, type PostOutcome } from "./post.ts";
import {
  claimDue,
  findOpen,
  giveUpSwitchedOff,
  releaseLeases,
  settle,
  shortenWaits,
  slotsOf,
  stateAfter,
  waitsByOtherClock,
  type DeliveryState,
  type DueDelivery,
  type OpenWebhook,
  type Tried,
} from "./queue.ts";

/** Deliveries in flight in one process: to receivers that accept, and to those that fail. Neither takes room from the other. */
const IN_FLIGHT_MAX = { accepting: 1_024, failing: 128 } as const;
type Kind = keyof typeof IN_FLIGHT_MAX;
/** A lost notification, or a process that was killed, delays deliveries by little more than this and a lease. */
const IDLE_MS = 5_000;
const RETRY_MS = 1_000;
/** Open pages hear of a webhook's deliveries no more often. */
const PUBLISH_MS = 1_000;

/** Delivers events to webhooks: one loop stores the results of posts, claims what is due, and posts it without waiting for the answers. */
export async function startWebhookCourier(
  deps: Deps,
  options: { poster?: Poster; onTry?: (outcome: DeliveryState) => void } = {},
): Promise<Running> {
  const { db, bus, clock, engine, config } = deps;
  const logger = deps.logger.child({ part: "webhooks" });
  const vault = createVault(config.encryptionKeys);
  const poster = options.poster ?? createPoster({ clock, allowPrivate: config.webhookAllowPrivate });
  const work = deps.work.part("webhooks");
  const wake = createWake({ clock, work }, "look for more", IDLE_MS);
  const inFlight = new Map<string, OpenWebhook>();
  const tried: Tried[] = [];
  const publishing = new Map<string, Cancel>();
  const lastChosen: Record<Kind, string> = { accepting: "", failing: "" };
  let isStopping = false;
  const isOver = () => isStopping;

  const post = async (webhook: OpenWebhook, { eventKey, event }: DueDelivery): Promise<PostOutcome> => {
    let secret: string;
    try {
      const sealed = { version: webhook.keyVersion, bytes: Buffer.from(webhook.sealed) };
      secret = vault.open(sealed, { userId: webhook.ownerId, rowId: webhook.id }).toString();
    } catch (error) {
      logger.error({ err: error, webhook: webhook.id }, "a webhook's secret could not be opened");
      return { status: null, error: storedReason("secret_unreadable") };
    }
    return poster.post({ url: webhook.url, secret, eventKey, body: bodyOf(event) });
  };

  const deliver = async (webhook: OpenWebhook, delivery: DueDelivery): Promise<void> => {
    inFlight.set(delivery.id, webhook);
    const outcome = await post(webhook, delivery);
    // A stop does not wait for answers: the next process posts again.
    if (isStopping && outcome.error !== null) return;
    tried.push({ delivery, outcome });
    wake.call();
  };

  const settleTried = async (): Promise<void> => {
    if (tried.length === 0) return;
    const batch = [...tried];
    await settle(deps, batch);
    tried.splice(0, batch.length);
    for (const one of batch) {
      const webhook = inFlight.get(one.delivery.id);
      inFlight.delete(one.delivery.id);
      options.onTry?.(stateAfter(one));
      if (webhook !== undefined) publishChange(webhook);
    }
  };

  const publishChange = ({ id, ownerId }: OpenWebhook): void => {
    if (publishing.has(id)) return;
    const cancel = clock.after(PUBLISH_MS, () => {
      publishing.delete(id);
      publishEvent(bus, ownerId, "webhook.changed", { id }).catch(() => {});
    });
    publishing.set(id, cancel);
  };

  /**
   * Returns the webhooks to claim for: those with a free slot, while the process has room for their kind. When there is not room for all, it
   * goes on behind the last one that it chose, so that each has its turn.
   */
  const choose = (due: OpenWebhook[], kind: Kind): OpenWebhook[] => {
    const ofKind = ({ isFailing }: OpenWebhook) => isFailing === (kind === "failing");
    const taken = Map.groupBy(inFlight.values(), ({ id }) => id);
    const free = due.filter((webhook) => ofKind(webhook) && (taken.get(webhook.id)?.length ?? 0) < slotsOf(webhook));
    const room = IN_FLIGHT_MAX[kind] - [...inFlight.values()].filter(ofKind).length;
    const inTurn = [
      ...free.filter(({ id }) => id > lastChosen[kind]),
      ...free.filter(({ id }) => id <= lastChosen[kind]),
    ];
    const chosen = inTurn.slice(0, Math.max(0, room / slotsOf({ isFailing: kind === "failing" })));
    lastChosen[kind] = chosen.at(-1)?.id ?? lastChosen[kind];
    return chosen;
  };

  /** One turn of the loop. @returns when the next delivery is due, null when none waits for a time */
  const turn = async (): Promise<number | null> => {
    await settleTried();
    const open = await findOpen(deps);
    const now = clock.now();
    for (const webhook of open) {
      if (!webhook.isEnabled && (await giveUpSwitchedOff(db, webhook.id, clock.iso()))) wake.call();
      if (waitsByOtherClock(webhook, now)) {
        await shortenWaits(db, webhook.id, clock.iso());
        wake.call();
      }
    }
    const enabled = open.filter(({ isEnabled }) => isEnabled);
    const due = enabled.filter(({ at }) => at <= now);
    const chosen = new Map([...choose(due, "accepting"), ...choose(due, "failing")].map((one) => [one.id, one]));
    if (chosen.size > 0 && !isStopping)
      for (const delivery of await claimDue(deps, [...chosen.keys()])) {
        const webhook = chosen.get(delivery.webhookId);
        if (webhook !== undefined) void work.track("deliver", deliver(webhook, delivery));
      }
    const later = enabled.map(({ at }) => at).filter((at) => at > now);
    return later.length === 0 ? null : Math.min(...later);
  };

  const run = async (): Promise<void> => {
    while (!isOver()) {
      try {
        await wake.sleep(await turn());
      } catch (error) {
        logger.warn({ err: error }, "delivering to webhooks failed, trying again");
        await wake.sleep(clock.now() + RETRY_MS);
      }
    }
    wake.close();
  };

  const offs = [
    bus.on("webhook.ready", wake.call),
    bus.on("clock.moved", wake.call),
    bus.on("subscription.changed", wake.call),
    bus.onGap(wake.call),
  ];
  // The embedded database serves one process: the one that held these leases is dead.
  if (engine.kind === "pglite") await releaseLeases(db, null);
  const running = run();
  return {
    async stop() {
      isStopping = true;
      offs.forEach((off) => off());
      wake.call();
      await poster.stop();
      await running;
      await work.settled();
      await settleTried();
      for (const cancel of publishing.values()) cancel();
      await releaseLeases(db, [...inFlight.keys()]);
    },
  };
}
