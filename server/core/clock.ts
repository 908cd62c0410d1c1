import fs from "node:fs";
import path from "node:path";

/** Cancels what was started; safe to call again. */
export type Cancel = () => void;

/** The computer's own time, which the product cannot move. */
export type Machine = {
  /** Calendar time in ms since 1970, for other programs' clocks: protocol timestamps, names of backup files. */
  wall(): number;
  /** Steady time in ms. Only differences mean something; it never jumps. */
  monotonic(): number;
  /** Calls `run` once after `ms` of steady time. A timer alone does not keep the process alive. */
  after(ms: number, run: () => void): Cancel;
};

/**
 * The only source of time. Moments (`now`, `iso`, `sleepUntil`) are product time, which the sandbox can move: schedules, windows,
 * tokens, waits. Durations (`monotonic`, `after`, `every`, `sleep`, `timeout`) are steady time. Sleeps reject with the signal's reason.
 */
export type Clock = Machine & {
  /** Product time in ms since 1970. */
  now(): number;
  iso(): string;
  /** Calls `run` every `ms` until cancelled. */
  every(ms: number, run: () => void): Cancel;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Resolves at a product time, or after the steady time that was left until it, in case the clock is set back. */
  sleepUntil(time: number, signal?: AbortSignal): Promise<void>;
  /** Aborts with a `TimeoutError` after `ms`. */
  timeout(ms: number): AbortSignal;
};

/** A clock whose product time can be moved. */
export type MovableClock = Clock & {
  /** Moves product time by `ms`; sleeps that end by then are over. */
  jump(ms: number): void;
  onMove(listener: () => void): Cancel;
};

/** A clock that a user can move forward; the offset survives a restart. */
export type SandboxClock = MovableClock & {
  readonly offsetSeconds: number;
  advance(seconds: number): void;
  /** Reads the offset that another process of the same data folder has stored. */
  reload(): void;
};

/** Resolves after pending requests and answers have had their turn. Long work waits for it between its parts. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** The longest timer that Node takes. */
const LONGEST_MS = 2 ** 31 - 1;
/** The host's clock may change without notice, so a sleep until a moment checks it this often. */
const LOOK_MS = 1_000;

export const realMachine: Machine = {
  wall: () => Date.now(),
  monotonic: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, Math.max(0, Math.min(ms, LONGEST_MS))).unref();
    return () => clearTimeout(timer);
  },
};

/**
 * Creates a clock.
 * @param options.base product time before it is moved; the machine's calendar unless given
 * @param options.lookMs how often a sleep until a moment looks at product time
 */
export function createClock({
  machine = realMachine,
  base = machine.wall,
  offset = 0,
  lookMs = LOOK_MS,
}: { machine?: Machine; base?: () => number; offset?: number; lookMs?: number } = {}): MovableClock {
  const listeners = new Set<() => void>();
  const onMove = (listener: () => void): Cancel => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const clock: MovableClock = {
    ...machine,
    now: () => base() + offset,
    iso: () => new Date(clock.now()).toISOString(),
    every(ms, run) {
      let cancel: Cancel = machine.after(ms, function again() {
        cancel = machine.after(ms, again);
        run();
      });
      return () => cancel();
    },
    sleep(ms, signal) {
      const end = machine.monotonic() + ms;
      return sleepWith(signal, (wake) => countDown(machine, () => end - machine.monotonic(), LONGEST_MS, wake));
    },
    sleepUntil(time, signal) {
      const latest = machine.monotonic() + time - clock.now();
      const left = () => Math.min(time - clock.now(), latest - machine.monotonic());
      return sleepWith(signal, (wake) => {
        let cancel = countDown(machine, left, lookMs, wake);
        const forget = onMove(() => {
          cancel();
          cancel = countDown(machine, left, lookMs, wake);
        });
        return () => {
          forget();
          cancel();
        };
      });
    },
    timeout(ms) {
      const timeout = new AbortController();
      machine.after(ms, () => timeout.abort(new DOMException(`Timed out after ${ms} ms.`, "TimeoutError")));
      return timeout.signal;
    },
    jump(ms) {
      offset += ms;
      for (const listener of listeners) listener();
    },
    onMove,
  };
  return clock;
}

export const systemClock: Clock = createClock();

/** A movable clock whose offset is kept in `folder`/clock.json. */
export function createSandboxClock(folder: string): SandboxClock {
  const file = path.join(folder, "clock.json");
  const stored = (): number => {
    try {
      const { offset_seconds } = JSON.parse(fs.readFileSync(file, "utf8")) as { offset_seconds?: unknown };
      return typeof offset_seconds === "number" && Number.isFinite(offset_seconds) ? offset_seconds : 0;
    } catch {
      return 0;
    }
  };
  let offsetSeconds = stored();
  const clock = createClock({ offset: offsetSeconds * 1000 });
  const jumpTo = (next: number): void => {
    const seconds = next - offsetSeconds;
    offsetSeconds = next;
    clock.jump(seconds * 1000);
  };
  return {
    ...clock,
    get offsetSeconds() {
      return offsetSeconds;
    },
    advance(seconds) {
      const next = offsetSeconds + seconds;
      fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
      fs.writeFileSync(`${file}.new`, JSON.stringify({ offset_seconds: next }));
      fs.renameSync(`${file}.new`, file);
      jumpTo(next);
    },
    reload() {
      const next = stored();
      if (next !== offsetSeconds) jumpTo(next);
    },
  };
}

/** Settles like `promise`, or like `late()` when that takes longer than `ms`. */
export async function withTimeout<T, L>(
  { after }: Pick<Clock, "after">,
  ms: number,
  promise: Promise<T>,
  late: () => L,
): Promise<T | L> {
  const timeout = Promise.withResolvers<L>();
  const cancel = after(ms, () => timeout.resolve(Promise.try(late)));
  try {
    return await Promise.race([promise, timeout.promise]);
  } finally {
    cancel();
  }
}

/** Calls `run` when nothing is left, looking at least every `lookMs`. */
function countDown(machine: Machine, left: () => number, lookMs: number, run: () => void): Cancel {
  let cancel: Cancel = () => {};
  const look = (): void => {
    const ms = left();
    if (ms <= 0) run();
    else cancel = machine.after(Math.min(ms, lookMs), look);
  };
  look();
  return () => cancel();
}

/** A promise that `start` resolves, unless the signal aborts first. */
function sleepWith(signal: AbortSignal | undefined, start: (wake: () => void) => Cancel): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(signal.reason as Error);
    let isOver = false;
    let cancel: Cancel = () => {};
    const end = () => {
      isOver = true;
      cancel();
      signal?.removeEventListener("abort", abort);
    };
    const abort = () => {
      end();
      reject(signal?.reason as Error);
    };
    signal?.addEventListener("abort", abort);
    cancel = start(() => {
      end();
      resolve();
    });
    if (isOver) cancel();
  });
}
