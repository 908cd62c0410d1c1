import type { Logger } from "./logger.ts";

/** Why a stream ended: the server has none, it refuses this user, or the user signed out. */
export type StreamEnd = "unserved" | "refused" | "signedOut" | "stopped";

export type StreamDeps = {
  url: string;
  accessToken: () => string | null;
  /** Renews a token that the server refuses. If its session has ended, this signs the page out. */
  refresh: () => Promise<unknown>;
  /** Milliseconds since the last message of the server. */
  missed: () => number;
  onOpen: (missed: number) => void;
  /** A message or a heartbeat arrived. */
  onContact: () => void;
  onEvent: (type: string, data: unknown) => void;
  onLost: () => void;
  logger: Logger;
  fetch: typeof fetch;
  /** Milliseconds before the nth reconnection (from 0). */
  pause: (attempt: number) => number;
};

/** The server sends a heartbeat every 15 s; a stream that is silent for this long is dead, whatever the socket says. */
export const SILENCE_MS = 35_000;
/** Requests events from before the last message again: some were still on their way. */
const MARGIN_MS = 2_000;

/** Reads `GET /api/events` as a fetched stream, because an EventSource cannot carry the bearer token. */
export function createEventStream(deps: StreamDeps) {
  let attempt = new AbortController();
  return {
    /** Reconnects at once: the old connection may be dead, or the next retry far away. */
    reconnect: () => attempt.abort(),
    /** Keeps a stream open, through losses and temporary refusals, until `signal` aborts. */
    async run(signal: AbortSignal): Promise<StreamEnd> {
      for (let failures = 0; !signal.aborted; failures++) {
        const token = deps.accessToken();
        if (token === null) return "signedOut";
        const current = new AbortController();
        attempt = current;
        const stop = () => current.abort();
        signal.addEventListener("abort", stop);
        const watchdog = createWatchdog(SILENCE_MS, stop);
        let rest = 0;
        try {
          const missed = Math.ceil(deps.missed()) + MARGIN_MS;
          const answer = await deps.fetch(`${deps.url}?missed_ms=${missed}`, {
            headers: { Accept: "text/event-stream", Authorization: `Bearer ${token}` },
            signal: current.signal,
          });
          const { status } = answer;
          if (answer.ok && answer.body && isEventStream(answer)) {
            failures = 0;
            deps.onOpen(missed);
            await readStream(answer.body, deps, watchdog.feed);
          } else if (answer.ok || status === 404 || status === 405) return "unserved";
          else if (status < 500 && status !== 401 && status !== 429) return "refused";
          else {
            rest = retryAfterOf(answer);
            if (status === 401) await deps.refresh();
          }
        } catch (error) {
          if (!current.signal.aborted && failures === 0) deps.logger.warn("the event stream was lost", error);
        } finally {
          watchdog.stop();
          deps.onLost();
        }
        if (!current.signal.aborted) await sleep(Math.max(deps.pause(failures), rest), current.signal);
        signal.removeEventListener("abort", stop);
      }
      return "stopped";
    },
  };
}

const isEventStream = (answer: Response) => answer.headers.get("content-type")?.startsWith("text/event-stream");

/** `Retry-After` in milliseconds; 0 if it is missing or not a number of seconds. */
const retryAfterOf = (answer: Response) => (Number(answer.headers.get("retry-after")) || 0) * 1_000;

function createWatchdog(patience: number, bark: () => void) {
  let timer = setTimeout(bark, patience);
  const stop = () => clearTimeout(timer);
  return {
    stop,
    feed() {
      stop();
      timer = setTimeout(bark, patience);
    },
  };
}

async function readStream(
  body: ReadableStream<Uint8Array>,
  { onContact, onEvent }: Pick<StreamDeps, "onContact" | "onEvent">,
  feed: () => void,
) {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  let rest = "";
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    feed();
    onContact();
    const blocks = (rest + part.value).replaceAll("\r\n", "\n").split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const lines = block.split("\n");
      const valueOf = (field: string) =>
        lines
          .filter((line) => line.startsWith(`${field}:`))
          .map((line) => line.slice(field.length + 1).trimStart())
          .join("\n");
      const type = valueOf("event");
      if (type !== "") onEvent(type, jsonOrNull(valueOf("data")));
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

export const sleep = (milliseconds: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const wake = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", wake);
      resolve();
    };
    const timer = setTimeout(wake, milliseconds);
    if (signal.aborted) wake();
    else signal.addEventListener("abort", wake);
  });
