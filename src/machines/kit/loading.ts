import { type AnyMachineSnapshot, type PromiseActorLogic, fromPromise } from "xstate";
import type { UiText } from "../../../domain/ui-text.ts";
import { reportFailure } from "./page.ts";

/** What a person, or news from outside, may ask of a reading. */
export type ReadingEvent = { type: "reading.retry" } | { type: "reading.refresh" };

export type ReadingTag = "loading" | "refreshing" | "unread" | "outdated";

export type Read<Src extends string, Store extends string, Input> = {
  /** The actor that reads. */
  src: Src;
  /** The id of its invoke: the actor's name, unless the chart reads by the same actor in two places. */
  id?: string;
  /** The action that keeps what was read; its params are the actor's output. */
  store: Store;
  /** Names what is read within a sentence: `the stages`. Left out where the view names it. */
  what?: UiText;
  input?: Input;
};

export const outputOf = <Output>({ event }: { event: { output: Output } }): Output => event.output;

/** The invoke's `input` is left out where the actor takes none: the key must be absent, not undefined. */
export const readingOf = <const Src extends string, Input>({
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
      onError: { target: "unread" as const, actions: reportFailure(`${read.id ?? read.src} failed`) },
    },
  },
  unread: {
    tags: ["unread" as const],
    meta: { unread: read.what },
    on: { "reading.retry": "loading" as const },
  },
});

/**
 * What stands behind the end of a list, part by part: `resting`, `loading`, and `failed` until it is asked for again. Needs `fetchOlder`
 * and the action `storeOlder` in the chart's setup, besides the guard.
 */
export const readingOlder = <const Guard extends string, Input>({
  guard,
  input,
}: {
  /** Whether there is anything, and it can be put behind the end now. */
  guard: Guard;
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
          onError: { target: "failed" as const, actions: reportFailure("fetchOlder failed") },
        },
      },
      failed: { on },
    },
  };
};

const marked = (snapshot: AnyMachineSnapshot, mark: "unread" | "outdated"): readonly UiText[] | null => {
  const metas = Object.values(snapshot.getMeta() as Record<string, Partial<Record<typeof mark, UiText>>>);
  const what = metas.flatMap((meta) => meta[mark] ?? []);
  return what.length === 0 ? null : what;
};

/** What a chart could not read and does not show, such as the stages and the funnel; null when nothing is missing. */
export const selectUnread = (snapshot: AnyMachineSnapshot): readonly UiText[] | null => marked(snapshot, "unread");

/** What a chart shows although its last refresh failed; null when all of it is current. */
export const selectOutdated = (snapshot: AnyMachineSnapshot): readonly UiText[] | null => marked(snapshot, "outdated");

/** An actor that reads by a service. The request is aborted when the chart leaves the state. */
export function fetching<Output>(read: (signal: AbortSignal) => Promise<Output>): PromiseActorLogic<Output, void>;
export function fetching<Output, Input>(
  read: (input: Input, signal: AbortSignal) => Promise<Output>,
): PromiseActorLogic<Output, Input>;
export function fetching<Output, Input>(read: (...args: never[]) => Promise<Output>): PromiseActorLogic<Output, Input> {
  const call = read as (...args: unknown[]) => Promise<Output>;
  return fromPromise<Output, Input>(({ input, signal }) => (input === undefined ? call(signal) : call(input, signal)));
}

type Part<Item> = { items: readonly Item[]; next: string | null };

/** Reads the newest of a list, `count` of them or a few more, page by page; `missing` is how many are still to come. */
export async function readNewest<Item extends { id: string }>(
  count: number,
  readPage: (before: string | null, missing: number) => Promise<Part<Item>>,
): Promise<{ items: Item[]; next: string | null }> {
  const items = new Map<string, Item>();
  let next: string | null = null;
  let known = -1;
  // A page that brings nothing new is the end, whatever it says.
  while (items.size > known && (known === -1 || next !== null) && items.size < count) {
    known = items.size;
    // oxlint-disable-next-line no-await-in-loop -- each page begins where the one before ends
    const page: Part<Item> = await readPage(next, count - items.size);
    for (const item of page.items) items.set(item.id, item);
    next = page.next;
  }
  return { items: [...items.values()], next };
}
