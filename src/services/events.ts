import { EVENT_TYPES, type EventType } from "../../domain/events.ts";
import type { Logger } from "./logger.ts";

/** What the server tells of as it happens. The app works without it: a listener only makes the screen fresher. */
export type ServerEvents = {
  /** Calls back with each event of the type; returns the way to stop. The stream is open while anyone listens. */
  subscribe: (type: EventType, listener: (data: unknown) => void) => () => void;
};

export type ServerEventsDeps = {
  url: string;
  getAccessToken: () => string | null;
  logger: Logger;
  fetch?: typeof fetch;
  /** Milliseconds before the first connection: the screen's own calls go first. */
  headStart?: number;
  /** Milliseconds before the nth reconnection (from 0). */
  pause?: (attempt: number) => number;
};

const growingPause = (attempt: number) => Math.min(2_000 * 2 ** attempt, 60_000);

/** Reads `GET /api/events` as a fetched stream, because an EventSource cannot carry the bearer token. */
export function createServerEvents({
  url,
  getAccessToken,
  logger,
  fetch: fetchStream = (...call) => fetch(...call),
  headStart = 1_000,
  pause = growingPause,
}: ServerEventsDeps): ServerEvents {
  const listeners = new Map<EventType, Set<(data: unknown) => void>>();
  let connection: AbortController | null = null;
  let isServed = true;
  const everyone = () => [...listeners.values()].reduce((sum, set) => sum + set.size, 0);

  const deliver = (type: string, data: string) => {
    const known = EVENT_TYPES.find((candidate) => candidate === type);
    if (!known) return;
    const payload = jsonOrNull(data);
    for (const listener of listeners.get(known) ?? []) listener(payload);
  };

  const connect = async (signal: AbortSignal): Promise<void> => {
    // What the screens have read by now is the last that is known of the server until the stream speaks.
    let heardAt = performance.now();
    await sleep(headStart, signal);
    for (let attempt = 0; !signal.aborted; attempt++) {
      const token = getAccessToken();
      if (token === null) return;
      try {
        const missed = Math.ceil(performance.now() - heardAt);
        const answer = await fetchStream(`${url}?missed_ms=${missed}`, {
          headers: { Accept: "text/event-stream", Authorization: `Bearer ${token}` },
          signal,
        });
        const isStream = answer.headers.get("content-type")?.startsWith("text/event-stream") ?? false;
        if (answer.ok && isStream && answer.body) {
          attempt = 0;
          await readStream(answer.body, deliver, () => (heardAt = performance.now()));
        } else if (answer.ok || answer.status === 404 || answer.status === 405) {
          isServed = false;
          return;
        } else if (answer.status !== 401 && answer.status < 500) return;
      } catch (error) {
        if (signal.aborted) return;
        if (attempt === 0) logger.warn("the event stream was lost", error);
      }
      await sleep(pause(attempt), signal);
    }
  };

  return {
    subscribe(type, listener) {
      const set = listeners.get(type) ?? new Set();
      listeners.set(type, set.add(listener));
      if (!connection && isServed) {
        const opened = new AbortController();
        connection = opened;
        void connect(opened.signal).finally(() => {
          if (connection === opened) connection = null;
        });
      }
      return () => {
        set.delete(listener);
        // Moving between screens swaps listeners within one tick: the stream outlives that.
        setTimeout(() => {
          if (everyone() > 0) return;
          connection?.abort();
          connection = null;
        });
      };
    },
  };
}

async function readStream(
  body: ReadableStream<Uint8Array>,
  deliver: (type: string, data: string) => void,
  onHeard: () => void,
) {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  let rest = "";
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    onHeard();
    const blocks = (rest + part.value).replaceAll("\r\n", "\n").split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const lines = block.split("\n");
      const valueOf = (field: string) =>
        lines
          .filter((line) => line.startsWith(`${field}:`))
          .map((line) => line.slice(field.length + 1).trimStart())
          .join("\n");
      deliver(valueOf("event"), valueOf("data"));
    }
  }
}

function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

const sleep = (milliseconds: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
