import { expect } from "vitest";
import type { StateInvariant, Visit } from "./invariants.ts";

type Check<Context> = (visit: Visit<Context>) => unknown;
type Region<Context> = Record<string, StateInvariant<Context>>;

/** Checks that a call is pending, with this input if one is given. */
export const isCalling =
  (id: string, input?: unknown) =>
  ({ calls }: { calls: Readonly<Record<string, unknown>> }) =>
    expect(calls).toEqual(expect.objectContaining({ [id]: input }));

type Causes = {
  /** Causes besides a retry that start a request. */
  starts?: readonly string[];
  /** Causes besides a response after which the list is current. */
  ends?: readonly string[];
  /** Causes that do not affect the request. */
  keeps?: readonly string[];
  /** The expected input of the call. */
  input?: unknown;
};

const keepsAnswer =
  (property: string): Check<unknown> =>
  ({ event, before, context }) =>
    expect(context).toEqual({ ...(before as object), [property]: event.output });

const unchecked = (causes: readonly string[]) => Object.fromEntries(causes.map((cause) => [cause, null]));

/** The states of `initialLoad` of the kit, below a path. `read` is the id of the call. */
export const initialLoadInvariants = <Context = unknown>(
  path: string,
  read: string,
  { starts = [], keeps = [], input, accepts = [] }: Causes & { accepts?: readonly string[] } = {},
): Region<Context> => ({
  [`${path}loading`]: {
    after: ["start", "reading.retry", ...starts, ...keeps],
    accepts,
    holds: isCalling(read, input),
  },
  [`${path}loadFailed`]: { after: [`error ${read}`, ...keeps], accepts: ["reading.retry", ...accepts] },
});

/** The states of `refreshable` of the kit, below a path. `stored` is the property of the context that keeps the answer. */
export const refreshableInvariants = <Context>(
  path: string,
  read: string,
  stored: (keyof Context & string) | null,
  { starts = [], ends = [], keeps = [], input }: Causes = {},
): Region<Context> => ({
  [`${path}current`]: {
    after: { [`done ${read}`]: stored === null ? null : keepsAnswer(stored), ...unchecked([...ends, ...keeps]) },
    accepts: ["reading.refresh"],
  },
  [`${path}refreshing`]: {
    after: ["reading.refresh", "reading.retry", ...starts, ...keeps],
    accepts: ["reading.refresh"],
    holds: isCalling(read, input),
  },
  [`${path}outdated`]: { after: [`error ${read}`, ...keeps], accepts: ["reading.refresh", "reading.retry"] },
});

/** The states of `reading` of the kit, below a path. After each of `starts` the call must be waiting. */
export const readingInvariants = <Context>(
  path: string,
  read: string,
  stored: (keyof Context & string) | null,
  { starts = [], ...causes }: Causes = {},
): Region<Context> => ({
  ...(path !== "" && {
    [path.slice(0, -1)]: { holds: (visit) => starts.includes(visit.cause) && isCalling(read, causes.input)(visit) },
  }),
  ...initialLoadInvariants<Context>(path, read, {
    ...causes,
    starts: ["reading.refresh", ...starts],
    accepts: ["reading.refresh"],
  }),
  ...refreshableInvariants<Context>(`${path}shown.`, read, stored, { starts, ...causes }),
});

/** The states of `olderPages` of the kit, below a path. `canLoad` returns whether older items can be requested. */
export const olderInvariants = <Context>(
  path: string,
  {
    canLoad,
    loaded,
    input,
  }: {
    canLoad: (context: Context, isIn: (state: string) => boolean) => boolean;
    loaded: Check<Context>;
    input: unknown;
  },
): Region<Context> => {
  const accepts: StateInvariant<Context>["accepts"] = (context, isIn) => (canLoad(context, isIn) ? ["older.load"] : []);
  return {
    [`${path}resting`]: { after: { start: null, "done fetchOlder": loaded }, accepts },
    [`${path}loading`]: { after: ["older.load"], holds: isCalling("fetchOlder", input) },
    [`${path}failed`]: { after: ["error fetchOlder"], accepts },
  };
};

/** The states of `throttledRefresh` of the kit, in the region `news`. `reads` are the calls that a news event starts. */
export const newsInvariants = (news: string, reads: readonly string[]): Region<unknown> => {
  const isReading = (calls: Readonly<Record<string, unknown>>) => reads.some((read) => read in calls);
  const starts: Check<unknown> = ({ calls, callsBefore }) =>
    expect([isReading(callsBefore), isReading(calls)]).toEqual([false, true]);
  return {
    "news.quiet": { after: ["start", "after newsPause"], accepts: [news] },
    "news.pausing": { after: { [news]: starts, "after newsPause": starts }, accepts: [news] },
    "news.noted": {
      after: { [news]: null, "after newsPause": ({ callsBefore }) => expect(isReading(callsBefore)).toEqual(true) },
    },
  };
};
