import { SILENCE_MS, type StreamDeps, type StreamEnd, createEventStream, sleep } from "./event-stream.ts";
import { watchReturns, whileAlive } from "./page-returns.ts";

/** A message between a user's tabs in this browser. A new tab sends `joined`; the tab that holds the stream sends all others. */
type Word =
  | { kind: "joined"; missed: number }
  | { kind: "trying" }
  | { kind: "opened"; missed: number }
  | { kind: "heard" }
  | { kind: "event"; type: string; data: unknown }
  | { kind: "unserved" };

export type SharingDeps = Pick<StreamDeps, "url" | "accessToken" | "renew" | "logger" | "fetch" | "pause"> & {
  userId: string;
  /** Milliseconds before the first connection: the screen's own requests go first. */
  headStart: number;
  /** Since when events are needed; the screens have read what came before. */
  from: Moment;
  /** Milliseconds to wait after a server had no event stream; until then only the page's returns are reported. */
  rest: () => number;
  deliver: (type: string, data: unknown) => void;
  /** The page was away: its data may be stale. */
  onReturn: () => void;
  /** Events were missed and cannot be recovered: anything may have changed. */
  onGap: () => void;
  onUnserved: () => void;
  /** Absent if the browser has none (a page over plain HTTP): each tab then opens its own stream. */
  locks: LockManager | undefined;
};

export type Sharing = {
  /** Tries again after a refusal. */
  retry: () => void;
  leave: () => void;
};

const WATCH_MS = 3_000;
/** A holder that is silent for this long is frozen or offline; a visible tab takes over. */
const HOLDER_SILENCE_MS = SILENCE_MS + 3_000;
const GAP_SLACK_MS = 1_000;
/** The holder keeps events this long for new tabs, whose first reads are hardly older. */
const RECALL_MS = 30_000;

/**
 * Shares one event stream among a user's tabs. The tab with the lock holds the stream and forwards its events. The lock passes on when its
 * tab closes, and is stolen from a silent holder. A new holder requests what was missed since the last message.
 */
export function joinBrowser(deps: SharingDeps): Sharing {
  let heardAt = deps.from;
  let tab: Tab;
  let isBack = false;
  const stopLiving = whileAlive(() => {
    tab = takePart({
      ...deps,
      headStart: isBack ? 0 : deps.headStart,
      missed: () => since(heardAt),
      hear: () => (heardAt = now()),
    });
    if (isBack) deps.onReturn();
    else tab.join();
    isBack = true;
    return tab.leave;
  });
  const stopWatching = watchReturns((how) => {
    if (how !== "shown") tab.reconnect();
    deps.onReturn();
  });
  return {
    retry: () => tab.retry(),
    leave() {
      stopWatching();
      stopLiving();
    },
  };
}

type Tab = Sharing & {
  reconnect: () => void;
  /** Asks the holder for the events since this tab's first reads. */
  join: () => void;
};

type PartDeps = Omit<SharingDeps, "from"> & {
  missed: () => number;
  hear: () => void;
};

function takePart(deps: PartDeps): Tab {
  const name = `leadloom.events.${deps.userId}`;
  const channel = deps.locks && typeof BroadcastChannel === "function" ? new BroadcastChannel(name) : null;
  const say = (word: Word) => channel?.postMessage(word);
  const leaving = new AbortController();
  let [holding, waiting] = [new AbortController(), new AbortController()];
  let holderSeenAt = now();
  const recent: { at: Moment; word: Word }[] = [];
  let [isHolder, isOpen, isTakingPart, takesOver] = [false, false, false, false];

  const stream = createEventStream({
    ...deps,
    onOpen(missed) {
      isOpen = true;
      say({ kind: "opened", missed });
    },
    onHeard() {
      deps.hear();
      say({ kind: "heard" });
    },
    onEvent(type, data) {
      deps.deliver(type, data);
      const word: Word = { kind: "event", type, data };
      say(word);
      recent.push({ at: now(), word });
      recent.splice(
        0,
        recent.findIndex(({ at }) => since(at) < RECALL_MS),
      );
    },
    onLost: () => (isOpen = false),
  });

  const listen = ({ data: word }: MessageEvent<Word>) => {
    if (word.kind === "joined") {
      // Without a stream nothing counts as heard; when it opens again, the new tab learns what it missed.
      if (!isHolder || !isOpen) return;
      if (word.missed > RECALL_MS) say({ kind: "opened", missed: RECALL_MS });
      else recent.filter(({ at }) => since(at) <= word.missed).forEach((missed) => say(missed.word));
      return;
    }
    holderSeenAt = now();
    if (word.kind === "unserved") {
      deps.onUnserved();
      waiting.abort();
    }
    // This tab has missed events from before the new holder's start, which are lost.
    if (word.kind === "opened" && deps.missed() > word.missed + GAP_SLACK_MS) deps.onGap();
    if (word.kind === "event") deps.deliver(word.type, word.data);
    if (word.kind === "event" || word.kind === "heard") deps.hear();
  };
  channel?.addEventListener("message", listen);

  const hold = (): Promise<StreamEnd> => {
    isHolder = true;
    takesOver = false;
    return stream.run(holding.signal);
  };
  const takeTurn = async (): Promise<StreamEnd> => {
    [holding, waiting] = [new AbortController(), new AbortController()];
    if (!deps.locks || !channel) return await hold();
    try {
      return await deps.locks.request(name, takesOver ? { steal: true } : { signal: waiting.signal }, hold);
    } catch (error) {
      // The wait was aborted, or a visible tab took the lock.
      if (error instanceof DOMException && error.name === "AbortError") return "stopped";
      deps.logger.warn("the event stream is not shared", error);
      return await hold();
    } finally {
      isHolder = false;
      holding.abort();
    }
  };
  const takeTurns = async (headStart: number) => {
    if (isTakingPart) return;
    isTakingPart = true;
    await sleep(headStart, leaving.signal);
    let end: StreamEnd = "stopped";
    while (end === "stopped" || end === "unserved") {
      while (deps.rest() > 0 && !leaving.signal.aborted) await sleep(deps.rest(), leaving.signal);
      if (leaving.signal.aborted) break;
      end = await takeTurn();
      if (end !== "unserved") continue;
      deps.onUnserved();
      say({ kind: "unserved" });
    }
    isTakingPart = false;
  };
  void takeTurns(deps.headStart);

  const watch = setInterval(() => {
    if (isHolder && !isOpen) say({ kind: "trying" });
    if (deps.rest() > 0) holderSeenAt = now();
    const isMissing = !isHolder && isTakingPart && since(holderSeenAt) > HOLDER_SILENCE_MS;
    if (!isMissing || document.visibilityState !== "visible") return;
    takesOver = true;
    holderSeenAt = now();
    waiting.abort();
  }, WATCH_MS);

  return {
    reconnect: stream.reconnect,
    join: () => say({ kind: "joined", missed: deps.missed() }),
    retry: () => void takeTurns(0),
    leave() {
      clearInterval(watch);
      leaving.abort();
      waiting.abort();
      holding.abort();
      channel?.close();
    },
  };
}

/** A moment on two clocks: one stops while the machine sleeps, the other can be changed. */
export type Moment = { ticks: number; date: number };
export const now = (): Moment => ({ ticks: performance.now(), date: Date.now() });
/** Milliseconds since then; never too few. */
const since = ({ ticks, date }: Moment) => Math.max(performance.now() - ticks, Date.now() - date);
