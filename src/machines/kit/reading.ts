import {
  type AnyEventObject,
  type AnyMachineSnapshot,
  type PromiseActorLogic,
  fromCallback,
  fromPromise,
} from "xstate";
import { reportFailure } from "./reporting.ts";

/** What a person, or news from outside, may ask of a reading. */
export type ReadingEvent = { type: "reading.retry" } | { type: "reading.refresh" };
export type ReadingTag = "loading" | "refreshing" | "unread" | "outdated";

type Read<Src extends string, Store extends string, Input> = {
  /** The actor that reads. */
  src: Src;
  /** The id of its invoke: the actor's name, unless the chart reads by the same actor in two places. */
  id?: string;
  /** The action that keeps what was read; its params are the actor's output. */
  store: Store;
  /** What is read, as it stands in the middle of a sentence: `the stages`. */
  what: string;
  input?: Input;
};

const outputOf = <Output>({ event }: { event: { output: Output } }): Output => event.output;

/** The invoke's `input` is left out where the actor takes none: the key must be absent, not undefined. */
const readingOf = <const Src extends string, Input>({
  src,
  id = src,
  input,
}: {
  src: Src;
  id?: string;
  input?: Input;
}) =>
  ({ id, src, ...(input === undefined ? {} : { input }) }) as unknown as { id: string; src: Src } & ([Input] extends [
    never,
  ]
    ? unknown
    : { input: Input });

/**
 * A first reading for a chart that goes on in a state of its own: `loading`, then `shown`, or `unread` until
 * 'reading.retry'. Spread into the chart's states.
 */
export const firstReading = <
  const Src extends string,
  const Store extends string,
  const Shown extends string,
  Input = never,
>({
  shown,
  ...read
}: Read<Src, Store, Input> & { shown: Shown }) => ({
  loading: {
    tags: ["loading" as const],
    invoke: {
      ...readingOf<Src, Input>(read),
      onDone: { target: shown, actions: { type: read.store, params: outputOf } },
      onError: { target: "unread" as const, actions: reportFailure(`${read.what} could not be read`) },
    },
  },
  unread: {
    tags: ["unread" as const],
    meta: { unread: read.what },
    on: { "reading.retry": "loading" as const },
  },
});

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
        onError: { target: "outdated" as const, actions: reportFailure(`${read.what} could not be read`) },
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

/**
 * What stands behind the end of a list, part by part: `resting`, `loading`, and `failed` until it is asked for again. Needs `fetchOlder`
 * and the action `storeOlder` in the chart's setup, besides the guard.
 */
export const readingOlder = <const Guard extends string, Input>({
  guard,
  what,
  input,
}: {
  /** Whether there is anything, and it can be put behind the end now. */
  guard: Guard;
  what: string;
  input: Input;
}) => {
  const on = { "older.load": { guard, target: "loading" as const } };
  return {
    initial: "resting" as const,
    states: {
      resting: { on },
      loading: {
        invoke: {
          id: "fetchOlder" as const,
          src: "fetchOlder" as const,
          input,
          onDone: { target: "resting" as const, actions: { type: "storeOlder" as const, params: outputOf } },
          onError: { target: "failed" as const, actions: reportFailure(`${what} could not be read`) },
        },
      },
      failed: { on },
    },
  };
};

/** An actor that asks for a refresh whenever it is told to: when the page comes back, with the network, from sleep or to the front, or by news. */
export const watchingReturns = (onReturn: (listener: () => void) => () => void) =>
  fromCallback<AnyEventObject>(({ sendBack }) => onReturn(() => sendBack({ type: "reading.refresh" })));

const told = (snapshot: AnyMachineSnapshot, mark: "unread" | "outdated"): string | null => {
  const metas = Object.values(snapshot.getMeta() as Record<string, Partial<Record<typeof mark, string>>>);
  // The snapshot's own order changes from step to step.
  const what = metas.flatMap((meta) => meta[mark] ?? []).toSorted();
  return what.length < 2 ? (what[0] ?? null) : `${what.slice(0, -1).join(", ")} and ${what.at(-1)}`;
};

/** What a chart could not read and does not show, such as `the stages and the funnel`; null when nothing is missing. */
export const selectUnread = (snapshot: AnyMachineSnapshot): string | null => told(snapshot, "unread");

/** What a chart shows although its last refresh failed; null when all of it is current. */
export const selectOutdated = (snapshot: AnyMachineSnapshot): string | null => told(snapshot, "outdated");

/** An actor that reads by a service. The request is aborted when the chart leaves the state. */
export function fetching<Output>(read: (signal: AbortSignal) => Promise<Output>): PromiseActorLogic<Output, void>;
export function fetching<Output, Input>(
  read: (input: Input, signal: AbortSignal) => Promise<Output>,
): PromiseActorLogic<Output, Input>;
export function fetching<Output, Input>(read: (...args: never[]) => Promise<Output>): PromiseActorLogic<Output, Input> {
  const call = read as (...args: unknown[]) => Promise<Output>;
  return fromPromise<Output, Input>(({ input, signal }) => (input === undefined ? call(signal) : call(input, signal)));
}
