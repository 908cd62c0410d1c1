import pg from "pg";
import { systemClock, withTimeout, type Cancel } from "../core/clock.ts";

const AGAIN_MS = 1_000;
/** A listening connection is silent, so a heartbeat tests it. */
const HEARTBEAT_MS = 5_000;
const ANSWER_MS = 5_000;

type Listener = { onPayload: (payload: string) => void; onGap: () => void };

/**
 * Listens to Postgres notifications on a dedicated connection, which is replaced when it is lost or stops responding. Calls `onGap` after
 * each replacement, because notifications were lost.
 */
export function listenOnPostgres(createClient: () => pg.Client) {
  const listeners = new Map<string, Set<Listener>>();
  let listening: pg.Client | null = null;
  let starting: Promise<void> | null = null;
  let closing = false;

  const start = async (): Promise<void> => {
    const client = createClient();
    let stopHeartbeat: Cancel = () => {};
    const onLost = () => {
      stopHeartbeat();
      if (closing || listening !== client) return;
      listening = null;
      resume();
    };
    client.on("error", onLost);
    client.on("end", onLost);
    client.on("notification", ({ channel, payload = "" }) => {
      listeners.get(channel)?.forEach(({ onPayload }) => onPayload(payload));
    });
    try {
      await client.connect();
      for (const channel of listeners.keys()) await client.query(`listen ${pg.escapeIdentifier(channel)}`);
    } catch (error) {
      cut(client);
      throw error;
    }
    listening = client;
    stopHeartbeat = systemClock.every(HEARTBEAT_MS, () => {
      void answersInTime(client).then((answers) => {
        if (answers) return;
        onLost();
        cut(client);
      });
    });
  };
  const resume = () => {
    systemClock.after(AGAIN_MS, () => {
      if (closing) return;
      start().then(
        () => listeners.forEach((known) => known.forEach(({ onGap }) => onGap())),
        () => resume(),
      );
    });
  };

  return {
    async listen(channel: string, onPayload: (payload: string) => void, onGap: () => void = () => {}): Promise<void> {
      const known = listeners.get(channel) ?? new Set();
      const isNew = known.size === 0;
      known.add({ onPayload, onGap });
      listeners.set(channel, known);
      if (listening !== null && isNew) await listening.query(`listen ${pg.escapeIdentifier(channel)}`);
      else await (starting ??= start());
    },
    async close(): Promise<void> {
      closing = true;
      await listening?.end().catch(() => {});
    },
  };
}

function answersInTime(client: pg.Client): Promise<boolean> {
  const answer = client.query("select 1").then(
    () => true,
    () => false,
  );
  return withTimeout(systemClock, ANSWER_MS, answer, () => false);
}

/** Closes a client's connection without waiting, since the other side may be gone. */
export function cut(client: pg.ClientBase): void {
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
}
