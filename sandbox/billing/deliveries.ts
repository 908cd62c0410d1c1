import { createHmac } from "node:crypto";
import type { Work } from "../server-imports.ts";
import type { World } from "./world.ts";

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 3_600_000;
/** Events are retried for three days (docs.stripe.com/webhooks). */
const GIVE_UP_MS = 3 * 86_400_000;
const RETENTION_MS = 30 * 86_400_000;
const ANSWER_WITHIN_MS = 10_000;
const AT_ONCE = 4;
const FLUSH_WITHIN_MS = 5_000;

/** Delivery problems to simulate: held, duplicated or reordered webhooks. */
export type DeliveryFaults = { held: boolean; duplicates: number; shuffled: boolean };

export type Deliveries = {
  faults: DeliveryFaults;
  /** Sends due events; call it when an event was written or the clock moved. */
  wake: () => void;
  /** Resolves when every event written so far was attempted once, or after five seconds. */
  flush: () => Promise<void>;
  close: () => Promise<void>;
};

type Row = { seq: number; id: string; body: string; attempts: number };

/** Returns the signature header (docs.stripe.com/webhooks/signature). */
function sign(body: string, secret: string, now: number): string {
  const timestamp = Math.floor(now / 1000);
  return `t=${timestamp},v1=${createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex")}`;
}

/** Delivers events to the webhook, with growing delays, until each is accepted. Continues after a restart. */
export function createDeliveries(
  { store, clock }: World,
  options: { webhookUrl: () => string; webhookSecret: string; work: Work },
): Deliveries {
  const faults: DeliveryFaults = { held: false, duplicates: 0, shuffled: false };
  const stopping = new AbortController();
  const waiting = new Set<() => void>();
  const notifyWaiting = (): void => {
    for (const proceed of waiting) proceed();
    waiting.clear();
  };
  let waitingForNext = new AbortController();
  let running: Promise<void> | null = null;
  store.run("update events set next_at = ? where delivered_at is null", clock.now());

  const offer = async (body: string): Promise<boolean> => {
    try {
      const answer = await fetch(options.webhookUrl(), {
        method: "POST",
        headers: {
          "content-type": "application/json; charset=utf-8",
          "stripe-signature": sign(body, options.webhookSecret, clock.now()),
        },
        body,
        redirect: "error",
        signal: AbortSignal.any([stopping.signal, clock.timeout(ANSWER_WITHIN_MS)]),
      });
      await answer.arrayBuffer();
      return answer.ok;
    } catch {
      return false;
    }
  };

  const deliver = async ({ seq, body, attempts }: Row): Promise<void> => {
    let isAccepted = await offer(body);
    for (let copy = 0; copy < faults.duplicates; copy += 1) isAccepted = (await offer(body)) && isAccepted;
    if (stopping.signal.aborted) return;
    const wait = Math.min(FIRST_WAIT_MS * 2 ** attempts, LONGEST_WAIT_MS);
    store.run(
      "update events set attempts = attempts + 1, next_at = ?, delivered_at = ? where seq = ?",
      clock.now() + wait,
      isAccepted ? clock.now() : null,
      seq,
    );
    notifyWaiting();
  };

  const dueNow = (): Row[] =>
    store.all<Row>(
      `select seq, id, body, attempts from events where delivered_at is null and next_at <= ?
       order by ${faults.shuffled ? "random()" : "seq"} limit ?`,
      clock.now(),
      AT_ONCE,
    );

  const pump = async (): Promise<void> => {
    const now = clock.now();
    store.run("delete from events where made_at < ? and delivered_at is null and attempts > 0", now - GIVE_UP_MS);
    store.run("delete from events where made_at < ? and delivered_at is not null", now - RETENTION_MS);
    for (let rows = dueNow(); rows.length > 0; rows = dueNow()) {
      await Promise.all(rows.map(deliver));
      if (stopping.signal.aborted || faults.held) return;
    }
    const [next] = store.all<{ at: number | null }>("select min(next_at) as at from events where delivered_at is null");
    if (next?.at == null) return;
    waitingForNext = new AbortController();
    clock.sleepUntil(next.at, waitingForNext.signal).then(wake, () => {});
  };

  const wake = (): void => {
    waitingForNext.abort();
    if (stopping.signal.aborted || faults.held || running !== null) return;
    running = options.work.track("card provider webhooks", pump()).finally(() => {
      running = null;
      if (dueNow().length > 0) wake();
    });
  };

  return {
    faults,
    wake,
    async flush() {
      wake();
      const [last] = store.all<{ seq: number | null }>("select max(seq) as seq from events");
      const isWaiting = () =>
        store.all("select 1 from events where seq <= ? and attempts = 0 limit 1", last?.seq ?? 0).length > 0;
      const late = clock.timeout(FLUSH_WITHIN_MS);
      late.addEventListener("abort", notifyWaiting);
      while (!faults.held && !late.aborted && !stopping.signal.aborted && isWaiting())
        await new Promise<void>((resolve) => waiting.add(resolve));
    },
    async close() {
      stopping.abort();
      notifyWaiting();
      await running;
      waitingForNext.abort();
    },
  };
}
