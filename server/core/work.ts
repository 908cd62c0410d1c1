import { nextTurn, systemClock } from "./clock.ts";

/** Counts what is in flight in a process, or in one part of it, so that a stop and a test can wait until it is done. */
export type Work = {
  /** Counts one piece of work until the returned function is called. */
  begin(what: string): () => void;
  /** Counts the promise as work until it settles. @returns that promise */
  track<T>(what: string, promise: Promise<T>): Promise<T>;
  /**
   * Awaits another party or the passing of time within a piece of work, which does not count during the wait.
   * One at a time for each piece.
   */
  pauseFor<T>(promise: Promise<T>): Promise<T>;
  /** Resolves when nothing is in flight. */
  settled(): Promise<void>;
  /** Names what is in flight. */
  inFlight(): string[];
  /** Creates a counter for one part of the process; its work counts here as well. */
  part(name: string): Work;
};

export type ProcessWork = Work & {
  /** Adds a source of work that has not begun yet. @param isQuiet returns whether it has none */
  watch(isQuiet: () => boolean | Promise<boolean>): void;
  /**
   * Resolves when nothing is in flight and no source holds work.
   * @param options.isPatient false asks the sources once and does not wait for one that needs time to pass
   */
  idle(options?: { isPatient?: boolean }): Promise<void>;
  /** How many pieces of work have begun so far. */
  begun(): number;
};

/** How soon a source with work is checked again. */
const ASK_AGAIN_MS = 2;

/** Creates the work counter of a whole process. */
export function createWork(): ProcessWork {
  let begun = 0;
  const work = createCount({ onBegin: () => (begun += 1) });
  const sources: (() => boolean | Promise<boolean>)[] = [];
  const areQuiet = async (): Promise<boolean> => {
    for (const isQuiet of sources) if (!(await isQuiet())) return false;
    return true;
  };
  return {
    ...work,
    begun: () => begun,
    watch: (isQuiet) => void sources.push(isQuiet),
    async idle({ isPatient = true } = {}) {
      for (;;) {
        const before = begun;
        await work.settled();
        const isQuiet = await areQuiet();
        // Work that a source has just passed on begins in this turn of the event loop.
        await nextTurn();
        if (begun !== before) continue;
        if (isQuiet || !isPatient) return;
        await systemClock.sleep(ASK_AGAIN_MS);
      }
    },
  };
}

function createCount({ onBegin, whole }: { onBegin?: () => void; whole?: { work: Work; name: string } }): Work {
  const pieces = new Set<{ what: string }>();
  let paused = 0;
  let waiting: (() => void)[] = [];
  const isSettled = () => pieces.size <= paused;
  const check = (): void => {
    if (!isSettled()) return;
    const settled = waiting;
    waiting = [];
    for (const resolve of settled) resolve();
  };
  const work: Work = {
    begin(what) {
      const piece = { what };
      pieces.add(piece);
      onBegin?.();
      const endInWhole = whole?.work.begin(`${whole.name}: ${what}`);
      return () => {
        if (!pieces.delete(piece)) return;
        endInWhole?.();
        check();
      };
    },
    async track(what, promise) {
      const end = work.begin(what);
      try {
        return await promise;
      } finally {
        end();
      }
    },
    async pauseFor(promise) {
      paused += 1;
      check();
      try {
        return await (whole === undefined ? promise : whole.work.pauseFor(promise));
      } finally {
        paused -= 1;
        onBegin?.();
      }
    },
    async settled() {
      while (!isSettled()) await new Promise<void>((resolve) => waiting.push(resolve));
    },
    inFlight: () => [...pieces].map(({ what }) => what),
    part: (name) => createCount({ whole: { work, name } }),
  };
  return work;
}
