import { type AnyEventObject, fromCallback } from "xstate";
import type { EventType } from "../../../domain/events.ts";
import type { ServerEvents } from "../../services/events.ts";
import { watchReturns } from "../../services/page-returns.ts";
import { unsubscribeAll } from "../../services/unsubscribe-all.ts";
import { withOutput } from "./chart.ts";
import { reportFailure } from "./page.ts";
import { type Read, initialLoad, invokeOf } from "./loading.ts";

/**
 * Returns a state that refreshes shown data on 'reading.refresh': `current`, `refreshing`, and `outdated` after a failure, which
 * keeps the old data. Use it alone or inside a state with controls. Leaving it cancels the refresh.
 */
export const refreshable = <const Src extends string, const Store extends string, Input = never>(
  read: Read<Src, Store, Input>,
) => ({
  initial: "current" as const,
  on: { "reading.refresh": ".refreshing" as const },
  states: {
    current: {},
    refreshing: {
      tags: ["refreshing" as const],
      invoke: {
        ...invokeOf<Src, Input>(read),
        onDone: { target: "current" as const, actions: withOutput(read.store) },
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

/** Returns the states of `initialLoad`. On 'reading.refresh' they read again: a response on its way may be older than the change. */
export const refreshableLoad = <
  const Src extends string,
  const Store extends string,
  const Shown extends string,
  Input = never,
>(
  read: Read<Src, Store, Input> & { shown: Shown },
) => {
  const { loading, loadFailed } = initialLoad<Src, Store, Shown, Input>(read);
  return {
    loading: { ...loading, on: { "reading.refresh": { target: "loading" as const, reenter: true } } },
    loadFailed: { ...loadFailed, on: { ...loadFailed.on, "reading.refresh": "loading" as const } },
  };
};

/**
 * Returns a region that reads and refreshes data: `loading`, `loadFailed`, and `shown` as above. A refresh during another cancels the
 * older one, so that the newest response wins.
 */
export const loadRegion = <const Src extends string, const Store extends string, Input = never>(
  read: Read<Src, Store, Input>,
) => ({
  initial: "loading" as const,
  states: {
    ...refreshableLoad<Src, Store, "shown", Input>({ ...read, shown: "shown" }),
    shown: refreshable<Src, Store, Input>(read),
  },
});

/** Creates an actor that requests a refresh on each call of the listener: by default when the page is visible or online again. */
export const watchingReturns = (onReturn: (listener: () => void) => () => void = watchReturns) =>
  fromCallback<AnyEventObject>(({ sendBack }) => onReturn(() => sendBack({ type: "reading.refresh" })));

/** Creates an actor that sends `type` to the chart on each of these server events. */
export const watchingEvents = (events: ServerEvents, types: readonly EventType[], type: string) =>
  fromCallback<AnyEventObject>(({ sendBack }) =>
    unsubscribeAll(types.map((news) => events.subscribe(news, () => sendBack({ type })))),
  );

/**
 * Returns a region that throttles refreshes caused by the event `news`: the first runs at once, later ones after `newsPause`, and never
 * while a read is running. Needs the guard `isReading`, the action `refresh` and the delay `newsPause` in the chart's setup.
 */
export const throttledRefresh = <const News extends string>(news: News) => {
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

/** Throttles a listener: calls it at once, then at most once every `everyMs`. The last call always arrives. */
export function throttled<Args extends unknown[]>(
  listener: (...args: Args) => void,
  everyMs: number,
): { call: (...args: Args) => void; end: () => void } {
  let timer: ReturnType<typeof setTimeout> | null = null;
  let missed: Args | null = null;
  const rest = () => {
    timer = setTimeout(() => {
      timer = null;
      if (missed !== null) call(...missed);
    }, everyMs);
  };
  const call = (...args: Args) => {
    missed = timer === null ? null : args;
    if (missed !== null) return;
    rest();
    listener(...args);
  };
  return {
    call,
    end: () => {
      if (timer !== null) clearTimeout(timer);
    },
  };
}
