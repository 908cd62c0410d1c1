import { afterAll, expect, it } from "vitest";
import type { AnyStateMachine, ContextFrom } from "xstate";
import { pathsFrom } from "./covering-paths.ts";
import { type WalkedModel, failureText } from "./model.ts";
import { edgeCollector, listEdges, listStates } from "./walk-machine.ts";
import { walk } from "./walk-suite.ts";

// oxlint-disable-next-line typescript/no-explicit-any -- each chart knows its own context
type Any = any;
/** The context of a model's chart. */
export type ContextOf<Model extends { machine: AnyStateMachine }> = ContextFrom<Model["machine"]>;

type Region = Record<string, StateInvariant<Any>>;

/** A step's actions besides assigns, by name, with their params or null. `sendTo` holds what it sent to its children. */
type Effects = Readonly<Record<string, unknown>>;

/** One step of a walk as an invariant sees it. `cause` is what `causeOf` returns for the event. */
export type Visit<Context> = {
  cause: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- an event's payload is known by its cause
  event: any;
  context: Context;
  /** The context before the step; at the start, the same as `context`. */
  before: Context;
  /** The actions of the step besides assigns. */
  effects: Effects;
  /** The inputs of the pending calls, by the ids of their actors. */
  calls: Readonly<Record<string, unknown>>;
  /** The pending calls before the step. */
  callsBefore: Readonly<Record<string, unknown>>;
  /** Whether the chart is in a state now, by the state's path. */
  isIn: (state: string) => boolean;
};

/** A step of the walk of a model. */
export type VisitOf<Model extends { machine: AnyStateMachine }> = Visit<ContextOf<Model>>;

export type Check<Context> = (visit: Visit<Context>) => unknown;

export type StateInvariant<Context> = {
  /** The only causes that may enter this state or keep the chart in it, each with a check that must pass right after it. */
  after?: readonly string[] | Readonly<Record<string, Check<Context> | null>>;
  /** The events that this state must accept. Events that no active state lists must be refused. */
  accepts?: readonly string[] | ((context: Context, isIn: (state: string) => boolean) => readonly string[]);
  /** What must be true after every step that ends here. */
  holds?: Check<Context>;
};

/**
 * Hand-written invariants of a chart, by the path of a state, such as `list.shown`. Every leaf has an entry; a compound state has one when
 * the invariant covers all its leaves; `*` is the whole chart.
 */
export type Invariants<Machine extends AnyStateMachine> = Readonly<
  Record<string, StateInvariant<ContextFrom<Machine>>>
>;

/**
 * Registers the test of a chart: a real actor walks every generated path. Checks that every transition is taken, no secret is stored, every
 * failed call is reported, and the invariants hold in each state.
 */
export function walkEveryPath<Machine extends AnyStateMachine>(
  model: WalkedModel<Machine>,
  invariants: Invariants<Machine>,
): void {
  const { machine } = model;
  const coverage = edgeCollector(machine);
  const paths = pathsFrom(model);
  afterAll(() => {
    const [states, edges] = [listStates(machine).length, listEdges(machine).length];
    console.info(
      `${machine.id}: ${states} states, ${edges} transitions, ${paths.length} paths, ${coverage.taken.size}/${edges} taken`,
    );
  });

  it("keeps its invariants on every path and takes every transition", async () => {
    const known = invariants as Invariants<AnyStateMachine>;
    expect(await walk(model, known, paths, coverage)).toEqual({ mismatches: [], problems: [], missing: [] });
  });
}

/** Causes without a check of their own. */
export const unchecked = (...causes: string[]) => Object.fromEntries(causes.map((cause) => [cause, null]));

/** Checks that the step changed nothing in the context. */
export const isUnchanged: Check<unknown> = ({ before, context }) => expect(context).toEqual(before);

/** Checks that a failed write changed only the problem; `unknown` says what may have happened without a response. */
export const failsWith =
  (unknown: string): Check<Any> =>
  ({ before, context, event }) =>
    expect(context).toEqual({ ...before, problem: failureText(event, unknown) });

/** Checks that a form took over the event's change, and that earlier messages are gone. */
export const editsForm: Check<Any> = ({ event, before, context }) =>
  expect(context).toEqual({ ...before, form: { ...before.form, ...event.change }, problem: null, refused: {} });

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

/** Where a chart stores an answer: the property of the context, a check of the context, or null if other invariants check it. */
type Stored = string | Check<Any> | null;

const keepsAnswer = (stored: Stored): Check<Any> | null =>
  typeof stored === "string"
    ? ({ event, before, context }) => expect(context).toEqual({ ...before, [stored]: event.output })
    : stored;

/** The states of `initialLoad` of the kit, below a path. `read` is the id of the call. */
export const initialLoadInvariants = (
  path: string,
  read: string,
  { starts = [], keeps = [], input, accepts = [] }: Causes & { accepts?: readonly string[] } = {},
): Region => ({
  [`${path}loading`]: {
    after: ["start", "reading.retry", ...starts, ...keeps],
    accepts,
    holds: isCalling(read, input),
  },
  [`${path}loadFailed`]: { after: [`error ${read}`, ...keeps], accepts: ["reading.retry", ...accepts] },
});

/** The states of `refreshableLoad` of the kit, below a path. */
export const refreshableLoadInvariants = (
  path: string,
  read: string,
  { starts = [], ...causes }: Causes = {},
): Region =>
  initialLoadInvariants(path, read, {
    ...causes,
    starts: ["reading.refresh", ...starts],
    accepts: ["reading.refresh"],
  });

/** The states of `refreshable` of the kit, below a path. */
export const refreshableInvariants = (
  path: string,
  read: string,
  stored: Stored,
  { starts = [], ends = [], keeps = [], input }: Causes = {},
): Region => ({
  [`${path}current`]: {
    after: { [`done ${read}`]: keepsAnswer(stored), ...unchecked(...ends, ...keeps) },
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
export const readingInvariants = (
  path: string,
  read: string,
  stored: Stored,
  { starts = [], ...causes }: Causes = {},
): Region => ({
  ...(path !== "" && {
    [path.slice(0, -1)]: { holds: (visit) => starts.includes(visit.cause) && isCalling(read, causes.input)(visit) },
  }),
  ...refreshableLoadInvariants(path, read, { starts, ...causes }),
  ...refreshableInvariants(`${path}shown.`, read, stored, { starts, ...causes }),
});

/** The states of `olderPages` of the kit, below a path. `canLoad` returns whether older items can be requested. */
export const olderInvariants = (
  path: string,
  {
    canLoad,
    loaded,
    input,
    cancels = [],
  }: {
    canLoad: (context: Any, isIn: (state: string) => boolean) => boolean;
    loaded: Check<Any>;
    input: unknown;
    /** Causes that cancel the request. */
    cancels?: readonly string[];
  },
): Region => {
  const accepts: StateInvariant<Any>["accepts"] = (context, isIn) => (canLoad(context, isIn) ? ["older.load"] : []);
  return {
    [`${path}resting`]: { after: { ...unchecked("start", ...cancels), "done fetchOlder": loaded }, accepts },
    [`${path}loading`]: { after: ["older.load"], holds: isCalling("fetchOlder", input) },
    [`${path}failed`]: { after: ["error fetchOlder"], accepts },
  };
};

/** The states of `throttledRefresh` of the kit, in the region `news`. `reads` are the calls that a news event starts. */
export const newsInvariants = (news: string, reads: readonly string[]): Region => {
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

/** The invariants of a confirmation dialog. */
export const confirmationInvariant = (
  question: string | ((context: Any) => string),
  after: NonNullable<StateInvariant<Any>["after"]>,
): StateInvariant<Any> => ({
  after,
  holds: ({ context, calls }) =>
    isCalling("askConfirmation", { message: typeof question === "string" ? question : question(context) })({ calls }),
});

/** The invariants of the kit's `revealing` below a path. `shows` is what leads there, `text` what a copy holds. */
export const revealingInvariants = (
  path: string,
  {
    shows,
    text,
    question,
  }: { shows: Readonly<Record<string, Check<Any>>>; text: (context: Any) => string; question: string },
): Region => {
  const copied =
    (outcome: string): Check<Any> =>
    ({ context, before }) =>
      expect([context.copying, context.copied]).toEqual([null, { ...before.copied, [before.copying]: outcome }]);
  return {
    [`${path}revealed`]: {
      accepts: ["secret.copy", "secret.dismiss"],
      after: {
        ...shows,
        "done copyText": copied("copied"),
        "error copyText": copied("refused"),
        "done askConfirmation": ({ event }) => expect(event.output).toEqual(false),
        "error askConfirmation": null,
      },
    },
    [`${path}copying`]: {
      after: ["secret.copy"],
      holds: ({ context, calls }) => isCalling("copyText", { text: text(context) })({ calls }),
    },
    [`${path}awaitingDismissal`]: confirmationInvariant(question, {
      "secret.dismiss": ({ before }) => expect(Object.values(before.copied)).not.toContain("copied"),
    }),
  };
};

/** The invariants of a call that starts once the user has confirmed it. */
export const confirmedInvariant = (call: string, input?: unknown): StateInvariant<Any> => ({
  after: { "done askConfirmation": ({ event }) => expect(event.output).toEqual(true) },
  holds: isCalling(call, input),
});
