import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { EventType } from "../../domain/events.ts";
import type { Cancel, Clock } from "./clock.ts";
import type { ProcessWork } from "./work.ts";
import type { LeadFilter } from "../../domain/lead-filter.ts";
import { HOT_STATEMENT, type Db, type DbOrTx, type Engine } from "../db/index.ts";

const CHANNEL = "leadloom";

/** Messages between processes. A message published in a transaction is delivered after its commit, or never. */
export type Topics = {
  /** for the browsers of one user, passed on by /api/events */
  event: { user_id: string; type: EventType; data: Record<string, unknown> };
  "session.revoked": { session_id: string };
  "key.revoked": { key_id: string };
  /** some of the user's sessions ended: check each again */
  "sessions.changed": { user_id: string };
  "subscription.changed": { user_id: string };
  "outbox.ready": { owner_id: string };
  "reminder.saved": { owner_id: string; reminder_id: string };
  /** the check of a reminder's channel has a result */
  "reminder.checked": { reminder_id: string };
  "outbox.settled": { owner_id: string; outbox_id: string };
  /** one of the owner's sends was tried or settled */
  "ledger.changed": { owner_id: string };
  /** accounts were released, or a worker joined: each worker checks whether it holds its share */
  "telegram.freed": Record<string, never>;
  /** a user opened a file: the worker that holds the account fetches that part */
  "file.wanted": { owner_id: string; message_id: string; part: number };
  "file.answered": {
    message_id: string;
    part: number;
    outcome: "ready" | "wait" | "gone" | "away";
    /** of a wait */
    seconds: number;
  };
  /** a user wants to know which leads can be reached: those of a stage, of a filter, some, or all */
  "contacts.wanted": {
    owner_id: string;
    stage_id: string | null;
    filter: LeadFilter | null;
    lead_ids?: readonly string[];
  };
  /** the check of which of the owner's leads can be reached has a result */
  "contacts.checked": { owner_id: string };
  /** an import of chats was requested or cancelled */
  "import.requested": { owner_id: string };
  /** a batch of very many leads was started */
  "batch.requested": { owner_id: string };
  /** a person was excluded: their data is deleted once Undo has expired */
  "exclusion.created": { owner_id: string };
  /** a read receipt is due */
  "receipt.ready": { owner_id: string };
  /** a webhook was changed or has something to deliver */
  "webhook.ready": { webhook_id: string };
  "telegram.account": { account_id: string; user_id: string };
  "telegram.attempt": { attempt_id: string; command: string; payload?: Record<string, unknown> };
  "stages.changed": { owner_id: string };
  "clock.moved": Record<string, never>;
  /** delivered once everything published before it has been delivered */
  "bus.mark": { id: string };
  /** recent calls per user or key in one process: [id, calls] */
  "calls.counted": { process: string; of: "user" | "key"; calls: [string, number][] };
};
type Listener<T extends keyof Topics> = (payload: Topics[T]) => void;

export type Bus = {
  publish<T extends keyof Topics>(topic: T, payload: Topics[T], within?: DbOrTx): Promise<void>;
  /** Publishes many messages by one statement. */
  publishAll<T extends keyof Topics>(topic: T, payloads: readonly Topics[T][], within?: DbOrTx): Promise<void>;
  on<T extends keyof Topics>(topic: T, listener: Listener<T>): () => void;
  /** Calls back after a gap in which messages may have been lost. Listeners then read their state again. */
  onGap(listener: () => void): () => void;
};

/**
 * Wraps Postgres's LISTEN/NOTIFY as typed topics, with one connection per process. Payloads contain ids, never texts (7,999 bytes at most).
 * @param work waits until every message sent so far has been delivered here
 */
export async function createBus(
  db: Db,
  engine: Engine,
  onBadMessage: (error: unknown) => void,
  work?: Pick<ProcessWork, "watch">,
): Promise<Bus> {
  const listeners = new Map<string, Set<(payload: never) => void>>();
  const gapListeners = new Set<() => void>();
  const onMessage = (text: string) => {
    try {
      const { topic, payload } = JSON.parse(text) as { topic: string; payload: never };
      listeners.get(topic)?.forEach((listener) => listener(payload));
    } catch (error) {
      onBadMessage(error);
    }
  };
  await engine.listen(CHANNEL, onMessage, () => gapListeners.forEach((listener) => listener()));
  const bus: Bus = {
    async publish(topic, payload, within = db) {
      await sql`select pg_notify(${CHANNEL}, ${JSON.stringify({ topic, payload })})`.execute(within);
    },
    async publishAll(topic, payloads, within = db) {
      if (payloads.length === 0) return;
      const texts = JSON.stringify(payloads.map((payload) => JSON.stringify({ topic, payload })));
      await sql`${sql.raw(HOT_STATEMENT)}
        select pg_notify(${CHANNEL}, m) from json_array_elements_text(${texts}::text::json) m`.execute(within);
    },
    on(topic, listener) {
      const known = listeners.get(topic) ?? new Set();
      known.add(listener);
      listeners.set(topic, known);
      return () => known.delete(listener);
    },
    onGap(listener) {
      gapListeners.add(listener);
      return () => gapListeners.delete(listener);
    },
  };
  work?.watch(async () => {
    const id = randomUUID();
    const delivered = Promise.withResolvers<void>();
    const offs = [bus.on("bus.mark", (mark) => mark.id === id && delivered.resolve()), bus.onGap(delivered.resolve)];
    await bus.publish("bus.mark", { id });
    await delivered.promise;
    for (const off of offs) off();
    return true;
  });
  return bus;
}

const SPREAD_MS = 30_000;

/**
 * After a gap, calls thousands of listeners spread over half a minute, so that they do not flood the database.
 * @returns a function that stops it
 */
export function onGapSpread(
  { bus, clock }: { bus: Pick<Bus, "onGap">; clock: Pick<Clock, "after"> },
  look: () => void,
): () => void {
  let cancel: Cancel = () => {};
  const off = bus.onGap(() => {
    cancel();
    cancel = clock.after(Math.random() * SPREAD_MS, look);
  });
  return () => {
    off();
    cancel();
  };
}

/** Sends several changes to a user's open browsers. */
export const publishEvents = (
  bus: Bus,
  userId: string,
  events: readonly { type: EventType; data?: Record<string, unknown> }[],
  within?: DbOrTx,
) =>
  bus.publishAll(
    "event",
    events.map(({ type, data = {} }) => ({ user_id: userId, type, data })),
    within,
  );

export const publishEvent = (
  bus: Bus,
  userId: string,
  type: EventType,
  data: Record<string, unknown> = {},
  within?: DbOrTx,
) => bus.publish("event", { user_id: userId, type, data }, within);
