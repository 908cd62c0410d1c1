import { randomUUID } from "node:crypto";
import { publishEvent } from "../core/bus.ts";
import type { Cancel } from "../core/clock.ts";
import type { Deps, Running } from "../core/deps.ts";
import { createVault } from "../core/vault.ts";
import { createWake } from "../core/wake.ts";
import { bodyOf } from "./body.ts";
import { createPoster, type Poster, type PostOutcome } from "./post.ts";
import {
  findDue,
  keepHold,
  letGo,
  settleTry,
  shortenWaits,
  takeDue,
  waitsByOtherClock,
  type DueDelivery,
  type Receiver,
} from "./queue.ts";

/** Deliveries under way to one receiver, once it has answered well for a while; one that is new, failing or slow gets one. */
const WINDOW_MOST = 8;
const SLOW_MS = 2_000;
/** Deliveries under way in one process, and how many of them to receivers that failed or were slow: those keep no room from the others. */
const UNDER_WAY_MOST = 1_024;
const TROUBLED_MOST = 128;
/** Transactions of deliveries at once: the database is there for everybody. */
const TRANSACTIONS_MOST = 3;
/** A lost notification, or a process that was killed, delays deliveries by little more than this and a lease. */
const IDLE_MS = 5_000;
const KEEP_HOLD_MS = 3_000;
const RETRY_MS = 1_000;
/** A next try as near as that is not left to the look at all webhooks. */
const SOON_MS = 30_000;
/** Open pages are told of a webhook's deliveries no more often. */
const TELL_MS = 1_000;

type Lane = {
  id: string;
  inFlight: Set<string>;
  window: number;
  isTroubled: boolean;
  isLooking: boolean;
  isWanted: boolean;
};
type Pool = { readonly most: number; underWay: number; waiting: Set<Lane> };

/**
 * Delivers what webhooks are told of. Each webhook has a lane of its own: its receiver's answers decide how many deliveries it gets at
 * once, and a receiver that hangs keeps nobody else's waiting.
 */
export async function startWebhookCourier(
  deps: Deps,
  options: { poster?: Poster; onTry?: (outcome: "delivered" | "failed" | "given_up") => void } = {},
): Promise<Running> {
  const { db, bus, clock, engine, config } = deps;
  const logger = deps.logger.child({ part: "webhooks" });
  const vault = createVault(config.encryptionKeys);
  const poster = options.poster ?? createPoster({ clock, allowPrivate: config.webhookAllowPrivate });
  const holder = randomUUID();
  const lanes = new Map<string, Lane>();
  const transactions = createRoom(engine.kind === "pglite" ? 1 : TRANSACTIONS_MOST);
  const work = deps.work.part("webhooks");
  const telling = new Map<string, Cancel>();
  const newPool = (most: number): Pool => ({ most, underWay: 0, waiting: new Set() });
  const pools = { healthy: newPool(UNDER_WAY_MOST), troubled: newPool(TROUBLED_MOST) };
  const poolOf = ({ isTroubled }: Lane): Pool => (isTroubled ? pools.troubled : pools.healthy);
  let isStopping = false;
  const isOver = () => isStopping;

  const laneOf = (id: string): Lane => {
    const lane = lanes.get(id) ?? {
      id,
      inFlight: new Set<string>(),
      window: 1,
      isTroubled: false,
      isLooking: false,
      isWanted: false,
    };
    lanes.set(id, lane);
    return lane;
  };
  const roomOf = (lane: Lane): number => {
    const { most, underWay: taken } = poolOf(lane);
    return Math.min(lane.window - lane.inFlight.size, most - taken);
  };

  /** Looks for what a webhook has to deliver, and again for as long as there is some and room for it. */
  const look = (lane: Lane): void => {
    lane.isWanted = true;
    if (lane.isLooking || isStopping) return;
    lane.isLooking = true;
    work
      .track("look", lookWhileWanted(lane))
      .catch((error: unknown) => {
        // Whoever looks for all webhooks comes by again in a while.
        lane.isWanted = false;
        logger.warn({ err: error, webhook: lane.id }, "a webhook's deliveries could not be looked up, trying again");
      })
      .finally(() => {
        lane.isLooking = false;
        if (lane.isWanted) look(lane);
        else if (isForgettable(lane)) lanes.delete(lane.id);
      });
  };
  const isForgettable = (lane: Lane): boolean =>
    lane.inFlight.size === 0 && lane.window === 1 && !lane.isTroubled && !poolOf(lane).waiting.has(lane);

  const lookWhileWanted = async (lane: Lane): Promise<void> => {
    while (lane.isWanted && !isOver()) {
      await transactions(async () => {
        lane.isWanted = false;
        const most = roomOf(lane);
        // The end of what is under way looks again.
        if (most <= 0) {
          if (lane.inFlight.size === 0) poolOf(lane).waiting.add(lane);
          return;
        }
        const ask = { webhookId: lane.id, holder, inFlight: [...lane.inFlight], most };
        const taken = await takeDue(deps, ask);
        if (taken === null) return;
        for (const delivery of taken.due) begin(lane, taken.receiver, delivery);
        if (taken.isMore || taken.due.length === most) lane.isWanted = true;
      });
    }
  };

  const begin = (lane: Lane, receiver: Receiver, delivery: DueDelivery): void => {
    const pool = poolOf(lane);
    pool.underWay += 1;
    lane.inFlight.add(delivery.id);
    let restMs = 0;
    work
      .track("deliver", deliver(lane, receiver, delivery))
      .catch((error: unknown) => {
        restMs = RETRY_MS;
        logger.warn({ err: error, webhook: lane.id }, "what became of a delivery could not be stored, trying again");
      })
      .finally(() => {
        pool.underWay -= 1;
        lane.inFlight.delete(delivery.id);
        if (restMs > 0) lookLater(lane, restMs);
        else look(lane);
        const next = pool.waiting.values().next().value;
        if (next !== undefined && pool.waiting.delete(next)) look(next);
      });
  };
  const lookLater = (lane: Lane, ms: number): void => {
    clock.after(ms, () => look(lane));
  };

  const deliver = async (lane: Lane, receiver: Receiver, delivery: DueDelivery): Promise<void> => {
    const startedAt = clock.monotonic();
    const outcome = await post(receiver, delivery);
    // A stop does not wait for answers: whoever comes next asks for them again.
    if (isStopping && outcome.error !== null) return;
    const isGood = outcome.error === null && clock.monotonic() - startedAt < SLOW_MS;
    lane.window = isGood ? Math.min(WINDOW_MOST, lane.window * 2) : 1;
    lane.isTroubled = !isGood;
    const settled = await transactions(() => settleTry(deps, receiver, delivery, outcome));
    options.onTry?.(settled.state);
    if (settled.waitMs !== null && settled.waitMs <= SOON_MS) lookLater(lane, settled.waitMs);
    tell(receiver);
  };

  const post = async (receiver: Receiver, { eventKey, event }: DueDelivery): Promise<PostOutcome> => {
    let secret: string;
    try {
      secret = vault.open(receiver.sealed, { userId: receiver.ownerId, rowId: receiver.id }).toString();
    } catch (error) {
      logger.error({ err: error, webhook: receiver.id }, "a webhook's secret could not be opened");
      return { status: null, error: "The signing secret could not be read." };
    }
    return poster.post({ url: receiver.url, secret, eventKey, body: bodyOf(event) });
  };

  const tell = ({ id, ownerId }: Receiver): void => {
    if (telling.has(id)) return;
    const cancel = clock.after(TELL_MS, () => {
      telling.delete(id);
      publishEvent(bus, ownerId, "webhook.changed", { id }).catch(() => {});
    });
    telling.set(id, cancel);
  };

  const wake = createWake({ clock, work }, "look for more", IDLE_MS);
  const offs = [
    bus.on("webhook.ready", ({ webhook_id: id }) => look(laneOf(id))),
    bus.on("clock.moved", wake.call),
    bus.on("subscription.changed", wake.call),
    bus.onGap(wake.call),
  ];
  const stopHolding = clock.every(KEEP_HOLD_MS, () => {
    const ids = [...lanes.values()].filter(({ inFlight }) => inFlight.size > 0).map(({ id }) => id);
    if (ids.length > 0)
      keepHold(db, holder, ids).catch((error: unknown) =>
        logger.warn({ err: error }, "keeping webhooks in hand failed"),
      );
  });
  const run = async (): Promise<void> => {
    while (!isOver()) {
      try {
        const due = await findDue(deps, holder);
        const now = clock.now();
        for (const each of due) {
          if (each.at <= now) look(laneOf(each.webhookId));
          else if (waitsByOtherClock(each, now)) await transactions(() => shortenWaits(db, each.webhookId, now));
        }
        const later = due.map(({ at }) => at).filter((at) => at > now);
        await wake.sleep(later.length === 0 ? null : Math.max(Math.min(...later), now + 100));
      } catch (error) {
        logger.warn({ err: error }, "looking for what webhooks are to be told");
        await wake.sleep(clock.now() + RETRY_MS);
      }
    }
  };
  // The embedded database serves one process: whoever held a webhook before is dead.
  if (engine.kind === "pglite") await db.updateTable("webhooks").set({ lease_owner: null }).execute();
  const running = run();
  return {
    async stop() {
      isStopping = true;
      stopHolding();
      for (const cancel of telling.values()) cancel();
      offs.forEach((off) => off());
      wake.call();
      await poster.stop();
      await running;
      wake.close();
      await work.settled();
      await letGo(db, holder);
    },
  };
}

/** Lets so many pieces of work run at once; the others wait in their order. */
function createRoom(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  const queue: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= most) await new Promise<void>((resolve) => queue.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = queue.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
