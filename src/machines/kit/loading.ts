import { type AnyMachineSnapshot, type PromiseActorLogic, fromPromise } from "xstate";
import type { UiText } from "../../../domain/ui-text.ts";
import { withOutput } from "./chart.ts";
import { reportFailure } from "./page.ts";

/** Requests for a read, from the user or from news. */
export type ReadingEvent = { type: "reading.retry" } | { type: "reading.refresh" };

export type ReadingTag = "loading" | "refreshing" | "loadFailed" | "outdated";

export type Read<Src extends string, Store extends string, Input> = {
  src: Src;
  /** The id of the invoke; needed only when a chart invokes the actor in two places. */
  id?: string;
  /** The action that stores the actor's output, its params. */
  store: Store;
  /** What is read, as part of a sentence: `the stages`. Left out when the view names it. */
  what?: UiText;
  input?: Input;
};

/** Without an input the key must be absent, not undefined. */
export const invokeOf = <const Src extends string, Input>({
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
 * Returns the states of a first read: `loading`, then the chart's own state `shown`, or `loadFailed` until 'reading.retry'. Spread
 * them into the chart's states.
 */
export const initialLoad = <
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
      ...invokeOf<Src, Input>(read),
      onDone: { target: shown, actions: withOutput(read.store) },
      onError: { target: "loadFailed" as const, actions: reportFailure(`${read.id ?? read.src} failed`) },
    },
  },
  loadFailed: {
    tags: ["loadFailed" as const],
    meta: { loadFailed: read.what },
    on: { "reading.retry": "loading" as const },
  },
});

/**
 * Returns a region that loads older items page by page: `resting`, `loading`, and `failed` until the next 'older.load'. Needs
 * `fetchOlder`, the action `storeOlder` and the guard in the chart's setup.
 */
export const olderPages = <const Guard extends string, Input>({
  guard,
  input,
}: {
  /** Whether there are older items, and the list can take them now. */
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
          onDone: { target: "resting" as const, actions: withOutput("storeOlder") },
          onError: { target: "failed" as const, actions: reportFailure("fetchOlder failed") },
        },
      },
      failed: { on },
    },
  };
};

const marked = (snapshot: AnyMachineSnapshot, mark: "loadFailed" | "outdated"): readonly UiText[] | null => {
  const metas = Object.values(snapshot.getMeta() as Record<string, Partial<Record<typeof mark, UiText>>>);
  const what = metas.flatMap((meta) => meta[mark] ?? []);
  return what.length === 0 ? null : what;
};

/** Returns what a chart could not read, such as the stages and the funnel; null when nothing is missing. */
export const selectLoadFailed = (snapshot: AnyMachineSnapshot): readonly UiText[] | null =>
  marked(snapshot, "loadFailed");

/** Returns what a chart shows although its last refresh failed; null when everything is current. */
export const selectOutdated = (snapshot: AnyMachineSnapshot): readonly UiText[] | null => marked(snapshot, "outdated");

/** Creates an actor that reads. Leaving the state aborts the request. */
export function fetching<Output>(read: (signal: AbortSignal) => Promise<Output>): PromiseActorLogic<Output, void>;
export function fetching<Output, Input>(
  read: (input: Input, signal: AbortSignal) => Promise<Output>,
): PromiseActorLogic<Output, Input>;
export function fetching<Output, Input>(read: (...args: never[]) => Promise<Output>): PromiseActorLogic<Output, Input> {
  const call = read as (...args: unknown[]) => Promise<Output>;
  return fromPromise<Output, Input>(({ input, signal }) => (input === undefined ? call(signal) : call(input, signal)));
}

type Part<Item> = { items: readonly Item[]; next: string | null };
/** A page of older items, and the cursor by which it was requested. */
export type OlderPage<Item> = { page: Part<Item>; before: string };

/** Appends an older page, unless the list's end has changed in the meantime. */
export function withOlderPage<Item extends { id: string }>(
  { items, next }: Part<Item>,
  { page, before }: OlderPage<Item>,
): Part<Item> {
  if (next !== before) return { items, next };
  const known = new Set(items.map(({ id }) => id));
  return { items: [...items, ...page.items.filter(({ id }) => !known.has(id))], next: page.next };
}

/** Reads the newest items of a list page by page, until there are at least `count`. `missing` is how many are still needed. */
export async function readNewest<Item>(
  count: number,
  readPage: (before: string | null, missing: number) => Promise<Part<Item>>,
  idOf: (item: Item) => string,
): Promise<{ items: Item[]; next: string | null }> {
  const items = new Map<string, Item>();
  let next: string | null = null;
  let known = -1;
  // A page without new items is the last, whatever its `next` says.
  while (items.size > known && (known === -1 || next !== null) && items.size < count) {
    known = items.size;
    // oxlint-disable-next-line no-await-in-loop -- each page begins where the one before ends
    const page: Part<Item> = await readPage(next, count - items.size);
    for (const item of page.items) items.set(idOf(item), item);
    next = page.next;
  }
  return { items: [...items.values()], next };
}
