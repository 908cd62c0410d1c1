import { SILENCE_MS, type StreamDeps, type StreamEnd, createEventStream, sleep } from "./event-stream.ts";
import { watchReturns, whileAlive } from "./page-returns.ts";

/** A message between a user's tabs in this browser. A new tab sends `joined`; the leader, which holds the stream, sends all others. */
type TabMessage =
  | { kind: "joined"; missed: number }
  | { kind: "trying" }
  | { kind: "opened"; missed: number }
  | { kind: "heard" }
  | { kind: "event"; type: string; data: unknown }
  | { kind: "unserved" };

export type SharingDeps = Pick<StreamDeps, "url" | "accessToken" | "refresh" | "logger" | "fetch" | "pause"> & {
  userId: string;
  /** Milliseconds before the first connection: the screen's own requests go first. */
  headStart: number;
  /** Events are needed since this moment; the screens have loaded what came before. */
  from: Moment;
  /** Milliseconds to wait after a server had no event stream. Until then, `onReturn` still works. */
  rest: () => number;
  deliver: (type: string, data: unknown) => void;
  /** The page was away: its data may be stale. */
  onReturn: () => void;
  /** Events were missed and cannot be recovered: anything may have changed. */
  onGap: () => void;
  onUnserved: () => void;
  /** Undefined if the browser has none, as over plain HTTP. Each tab then opens its own stream. */
  locks: LockManager | undefined;
};

export type Sharing = {
  /** Tries again after a refusal. */
  retry: () => void;
  leave: () => void;
};

const WATCH_MS = 3_000;
/** A leader that is silent for this long is frozen or offline; a visible tab takes over. */
const LEADER_SILENCE_MS = SILENCE_MS + 3_000;
const GAP_TOLERANCE_MS = 1_000;
/** The leader keeps events this long for new tabs, whose first reads are hardly older. */
const REPLAY_MS = 30_000;

/**
 * Shares one event stream among a user's tabs. The tab with the lock is the leader: it holds the stream and forwards its events. When it
 * closes, another tab gets the lock; a visible tab steals it from a silent leader. A new leader requests the events since the last message.
 */
export function shareStream(deps: SharingDeps): Sharing {
  let lastContact = deps.from;
  let tab: Tab;
  let isBack = false;
  const stopTab = whileAlive(() => {
    tab = createTab({
      ...deps,
      headStart: isBack ? 0 : deps.headStart,
      missed: () => since(lastContact),
      noteContact: () => (lastContact = now()),
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
      stopTab();
    },
  };
}

type Tab = Sharing & {
  reconnect: () => void;
  /** Asks the leader for the events since this tab's first reads. */
  join: () => void;
};

type TabDeps = Omit<SharingDeps, "from"> & {
  missed: () => number;
  noteContact: () => void;
};

function createTab(deps: TabDeps): Tab {
  const name = `leadloom.events.${deps.userId}`;
  const channel = deps.locks && typeof BroadcastChannel === "function" ? new BroadcastChannel(name) : null;
  const post = (message: TabMessage) => channel?.postMessage(message);
  const leaving = new AbortController();
  let [leading, waiting] = [new AbortController(), new AbortController()];
  let leaderSeenAt = now();
  const recent: { at: Moment; message: TabMessage }[] = [];
  let [isLeader, isOpen, isParticipating, takesOver] = [false, false, false, false];
  /** When this leader's stream first opened, and how far back it then requested events; null before. */
  let firstOpened: { at: Moment; missed: number } | null = null;

  const stream = createEventStream({
    ...deps,
    onOpen(missed) {
      isOpen = true;
      firstOpened ??= { at: now(), missed };
      post({ kind: "opened", missed });
    },
    onContact() {
      deps.noteContact();
      post({ kind: "heard" });
    },
    onEvent(type, data) {
      deps.deliver(type, data);
      const message: TabMessage = { kind: "event", type, data };
      post(message);
      recent.push({ at: now(), message });
      recent.splice(
        0,
        recent.findIndex(({ at }) => since(at) < REPLAY_MS),
      );
    },
    onLost: () => (isOpen = false),
  });

  const listen = ({ data: message }: MessageEvent<TabMessage>) => {
    if (message.kind === "joined") {
      // A leader without a stream has nothing to repeat. Its `opened` message will tell the new tab what it missed.
      if (!isLeader || !isOpen || firstOpened === null) return;
      const held = Math.min(REPLAY_MS - GAP_TOLERANCE_MS, since(firstOpened.at) + firstOpened.missed);
      if (message.missed > held + GAP_TOLERANCE_MS) post({ kind: "opened", missed: held });
      else recent.filter(({ at }) => since(at) <= message.missed).forEach((event) => post(event.message));
      return;
    }
    leaderSeenAt = now();
    if (message.kind === "unserved") {
      deps.onUnserved();
      waiting.abort();
    }
    // This tab missed events from before those that the leader requested.
    if (message.kind === "opened" && deps.missed() > message.missed + GAP_TOLERANCE_MS) deps.onGap();
    if (message.kind === "event") deps.deliver(message.type, message.data);
    if (message.kind === "event" || message.kind === "heard") deps.noteContact();
  };
  channel?.addEventListener("message", listen);

  const lead = (): Promise<StreamEnd> => {
    isLeader = true;
    firstOpened = null;
    takesOver = false;
    return stream.run(leading.signal);
  };
  const waitAndLead = async (): Promise<StreamEnd> => {
    [leading, waiting] = [new AbortController(), new AbortController()];
    if (!deps.locks || !channel) return await lead();
    try {
      return await deps.locks.request(name, takesOver ? { steal: true } : { signal: waiting.signal }, lead);
    } catch (error) {
      // The wait was aborted, or a visible tab took the lock.
      if (error instanceof DOMException && error.name === "AbortError") return "stopped";
      deps.logger.warn("the event stream is not shared", error);
      return await lead();
    } finally {
      isLeader = false;
      leading.abort();
    }
  };
  const participate = async (headStart: number) => {
    if (isParticipating) return;
    isParticipating = true;
    await sleep(headStart, leaving.signal);
    let end: StreamEnd = "stopped";
    while (end === "stopped" || end === "unserved") {
      while (deps.rest() > 0 && !leaving.signal.aborted) await sleep(deps.rest(), leaving.signal);
      if (leaving.signal.aborted) break;
      end = await waitAndLead();
      if (end !== "unserved") continue;
      deps.onUnserved();
      post({ kind: "unserved" });
    }
    isParticipating = false;
  };
  void participate(deps.headStart);

  const watch = setInterval(() => {
    if (isLeader && !isOpen) post({ kind: "trying" });
    if (deps.rest() > 0) leaderSeenAt = now();
    const isMissing = !isLeader && isParticipating && since(leaderSeenAt) > LEADER_SILENCE_MS;
    if (!isMissing || document.visibilityState !== "visible") return;
    takesOver = true;
    leaderSeenAt = now();
    waiting.abort();
  }, WATCH_MS);

  return {
    reconnect: stream.reconnect,
    join: () => post({ kind: "joined", missed: deps.missed() }),
    retry: () => void participate(0),
    leave() {
      clearInterval(watch);
      leaving.abort();
      waiting.abort();
      leading.abort();
      channel?.close();
    },
  };
}

/** A moment on two clocks: one stops while the machine sleeps, the other can be changed. */
export type Moment = { ticks: number; date: number };
export const now = (): Moment => ({ ticks: performance.now(), date: Date.now() });
/** Milliseconds since then; never too few. */
const since = ({ ticks, date }: Moment) => Math.max(performance.now() - ticks, Date.now() - date);
