import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { EventType } from "../../domain/events.ts";
import type { Cancel, Clock } from "./clock.ts";
import type { ProcessWork } from "./work.ts";
import type { LeadFilter } from "../../domain/lead-filter.ts";
import { HOT_STATEMENT, type Db, type DbOrTx, type Engine } from "../db/index.ts";

const CHANNEL = "leadloom";

/** What processes tell each other. A message travels with its transaction: it is heard after commit or not at all. */
export type Topics = {
  /** for the browsers of one user, passed on by /api/events */
  event: { user_id: string; type: EventType; data: Record<string, unknown> };
  "session.revoked": { session_id: string };
  "key.revoked": { key_id: string };
  /** some of the user's sessions ended, it is not said which: look again */
  "sessions.changed": { user_id: string };
  "subscription.changed": { user_id: string };
  "outbox.ready": { owner_id: string };
  "reminder.saved": { owner_id: string; reminder_id: string };
  /** Telegram told whether a reminder's channel can be posted to */
  "reminder.checked": { reminder_id: string };
  "outbox.settled": { owner_id: string; outbox_id: string };
  /** something of the owner's was tried or settled */
  "ledger.changed": { owner_id: string };
  /** accounts were given back, or a worker joined: each worker looks whether it holds its share */
  "telegram.freed": Record<string, never>;
  /** somebody looks at a file: whoever holds the account fetches that part of it */
  "file.wanted": { owner_id: string; message_id: string; part: number };
  "file.answered": {
    message_id: string;
    part: number;
    outcome: "ready" | "wait" | "gone" | "away";
    /** of a wait */
    seconds: number;
  };
  /** somebody wants to know which of their leads can be written to: those of a stage, of a filter, some of them, or all */
  "contacts.wanted": {
    owner_id: string;
    stage_id: string | null;
    filter: LeadFilter | null;
    lead_ids?: readonly string[];
  };
  /** Telegram told which of the owner's leads can be written to */
  "contacts.checked": { owner_id: string };
  /** an import of chats was ordered or cancelled */
  "import.ordered": { owner_id: string };
  /** a batch of very many leads was ordered */
  "batch.ordered": { owner_id: string };
  /** somebody was excluded: what is stored of them goes when that cannot be taken back any more */
  "exclusion.made": { owner_id: string };
  /** somebody is to be told that their message was read */
  "receipt.ready": { owner_id: string };
  /** a webhook has something to deliver, or is another */
  "webhook.ready": { webhook_id: string };
  "telegram.account": { account_id: string; user_id: string };
  "telegram.attempt": { attempt_id: string; command: string; payload?: Record<string, unknown> };
  "stages.changed": { owner_id: string };
  "clock.moved": Record<string, never>;
  /** heard once everything that was published before it has been heard */
  "bus.mark": { id: string };
  /** how often users, or keys, called a process lately: [id, calls] */
  "calls.counted": { process: string; of: "user" | "key"; calls: [string, number][] };
};
type Listener<T extends keyof Topics> = (payload: Topics[T]) => void;

export type Bus = {
  publish<T extends keyof Topics>(topic: T, payload: Topics[T], within?: DbOrTx): Promise<void>;
  /** The same for many at once, by one statement. */
  publishAll<T extends keyof Topics>(topic: T, payloads: readonly Topics[T][], within?: DbOrTx): Promise<void>;
  on<T extends keyof Topics>(topic: T, listener: Listener<T>): () => void;
  /** Calls back after a time in which messages may have been missed: what was learned from them is to be looked up again. */
  onGap(listener: () => void): () => void;
};

/**
 * Postgres's LISTEN/NOTIFY as typed topics, one connection a process. Payloads carry ids, never texts (7,999 bytes at most).
 * @param work learns when every message sent so far has been heard here
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
    const heard = Promise.withResolvers<void>();
    const offs = [bus.on("bus.mark", (mark) => mark.id === id && heard.resolve()), bus.onGap(heard.resolve)];
    await bus.publish("bus.mark", { id });
    await heard.promise;
    for (const off of offs) off();
    return true;
  });
  return bus;
}

const SPREAD_MS = 30_000;

/**
 * Has each of thousands look again after a gap, at a moment of its own within half a minute: all at once they would flood the database.
 * @returns how to stop it
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

/** Tells a user's open browsers of several changes at once. */
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

/** Tells a user's open browsers that something of theirs changed. */
export const publishEvent = (
  bus: Bus,
  userId: string,
  type: EventType,
  data: Record<string, unknown> = {},
  within?: DbOrTx,
) => bus.publish("event", { user_id: userId, type, data }, within);
