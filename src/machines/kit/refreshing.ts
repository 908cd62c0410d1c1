import { type AnyEventObject, fromCallback } from "xstate";
import { reportFailure } from "./page.ts";
import { type Read, firstReading, outputOf, readingOf } from "./loading.ts";

/**
 * What is shown, read anew on 'reading.refresh': `current`, `refreshing` and `outdated` (a refresh that failed keeps what
 * is shown). A state of its own, or the inside of one that a person works in, which gives the refresh up by leaving it.
 */
export const shownReading = <const Src extends string, const Store extends string, Input = never>(
  read: Read<Src, Store, Input>,
) => ({
  initial: "current" as const,
  on: { "reading.refresh": ".refreshing" as const },
  states: {
    current: {},
    refreshing: {
      tags: ["refreshing" as const],
      invoke: {
        ...readingOf<Src, Input>(read),
        onDone: { target: "current" as const, actions: { type: read.store, params: outputOf } },
        onError: { target: "outdated" as const, actions: reportFailure(`${read.id ?? read.src} failed`) },
      },
    },
    outdated: {
      tags: ["outdated" as const],
      meta: { outdated: read.what },
      on: { "reading.retry": "refreshing" as const },
    },
  },
});

/**
 * A reading as a state of its own, most often a region beside what a person does: `loading`, `unread`, and `shown` as
 * above. A refresh asked for while one is under way gives the older one up, so that the newest answer is the one that
 * stays.
 */
export const reading = <const Src extends string, const Store extends string, Input = never>(
  read: Read<Src, Store, Input>,
) => {
  const { loading, unread } = firstReading<Src, Store, "shown", Input>({ ...read, shown: "shown" });
  return {
    initial: "loading" as const,
    states: {
      loading: { ...loading, on: { "reading.refresh": { target: "loading" as const, reenter: true } } },
      unread: { ...unread, on: { ...unread.on, "reading.refresh": "loading" as const } },
      shown: shownReading<Src, Store, Input>(read),
    },
  };
};

/** An actor that asks for a refresh whenever it is told to: when the page comes back, with the network, from sleep or to the front, or by news. */
export const watchingReturns = (onReturn: (listener: () => void) => () => void) =>
  fromCallback<AnyEventObject>(({ sendBack }) => onReturn(() => sendBack({ type: "reading.refresh" })));

/**
 * A region that has news read: at once where nothing was read lately, else one reading after the other with a pause between them, so that
 * whatever is busy is shown at all. Needs the guard `isReading`, the action `refresh` and the delay `newsPause` in the chart's setup.
 */
export const gatheringNews = <const News extends string>(news: News) => {
  const readOrNote = [
    { guard: "isReading" as const, target: "noted" as const },
    { target: "pausing" as const, actions: "refresh" as const },
  ] as const;
  return {
    initial: "quiet" as const,
    states: {
      quiet: { on: { [news]: readOrNote } as Record<News, typeof readOrNote> },
      pausing: { on: { [news]: "noted" } as Record<News, "noted">, after: { newsPause: "quiet" as const } },
      noted: {
        after: {
          newsPause: [
            { guard: "isReading" as const, target: "noted" as const, reenter: true },
            { target: "pausing" as const, actions: "refresh" as const },
          ] as const,
        },
      },
    },
  };
};

/** The same listener, called at once and then at most once in so many milliseconds, the last time after and with the last call. */
export function paced<Args extends unknown[]>(
  listener: (...args: Args) => void,
  everyMs: number,
): { tell: (...args: Args) => void; end: () => void } {
  let timer: ReturnType<typeof setTimeout> | null = null;
  let missed: Args | null = null;
  const rest = () => {
    timer = setTimeout(() => {
      timer = null;
      if (missed !== null) tell(...missed);
    }, everyMs);
  };
  const tell = (...args: Args) => {
    missed = timer === null ? null : args;
    if (missed !== null) return;
    rest();
    listener(...args);
  };
  return {
    tell,
    end: () => {
      if (timer !== null) clearTimeout(timer);
    },
  };
}
