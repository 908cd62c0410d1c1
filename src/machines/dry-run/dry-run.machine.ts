import { type SnapshotFrom, assign, setup } from "xstate";
import { withOutput } from "../kit/payload.ts";
import { type ReadingEvent, type ReadingTag, firstReading } from "../kit/reading.ts";
import { failed, problemOf } from "../kit/failed.ts";
import { reportFailure, unreported } from "../kit/reporting.ts";
import { type HeldBack, SWITCH_FAILED, placeholderActors } from "./dry-run.actors.ts";

type DryRunContext = {
  /** null where the server knows no dry run */
  isOn: boolean | null;
  /** what it held back, as last read, and since when that is */
  heldBack: (HeldBack & { since: string | null }) | null;
  problem: string | null;
};

const first = firstReading({
  src: "readDryRun",
  store: "storeDryRun",
  what: "whether it is a dry run",
  shown: "known",
});

/**
 * Whether automatic messages are only decided and written down. It is left in two steps: first it shows what it would have sent, then the
 * person lets messages go out from that moment on. It is never switched before it was read.
 */
export const dryRunMachine = setup({
  types: {
    context: {} as DryRunContext,
    events: {} as
      | ReadingEvent
      | { type: "dryRun.start" }
      | { type: "dryRun.leave" }
      | { type: "dryRun.stay" }
      | { type: "dryRun.end" },
    tags: {} as ReadingTag,
  },
  actors: placeholderActors,
  actions: {
    storeDryRun: assign(({ context }, isOn: boolean | null) => ({
      isOn,
      // A change that came about without an answer is no problem any more.
      problem: isOn === context.isOn ? context.problem : null,
    })),
    storeHeldBack: assign((_, heldBack: HeldBack & { since: string | null }) => ({ heldBack })),
    storeProblem: assign(problemOf),
    forgetProblem: assign({ problem: null }),
    announceEnd: () => {},
    reportFailure: unreported,
  },
  guards: {
    isUnknown: ({ context }) => context.isOn === null,
    isOn: ({ context }) => context.isOn === true,
    isOff: ({ context }) => context.isOn === false,
  },
}).createMachine({
  id: "dryRun",
  context: { isOn: null, heldBack: null, problem: null },
  invoke: { id: "watchReturns", src: "watchReturns" },
  initial: "loading",
  states: {
    ...first,
    // The banner offers no way to try again: the page's return does.
    unread: { ...first.unread, on: { ...first.unread.on, "reading.refresh": "loading" } },
    known: {
      always: [{ guard: "isUnknown", target: "absent" }, { guard: "isOn", target: "on" }, { target: "off" }],
    },
    /** The server knows no dry run: there is nothing to show. */
    absent: {},
    off: { on: { "dryRun.start": "starting", "reading.refresh": "checking" } },
    on: { on: { "dryRun.leave": "reviewing", "reading.refresh": "checking" } },
    /** Another screen may have switched it; until that is known, what was read stands, and a person need not wait for it. */
    checking: {
      tags: ["refreshing"],
      on: {
        "dryRun.start": { guard: "isOff", target: "starting" },
        "dryRun.leave": { guard: "isOn", target: "reviewing" },
      },
      invoke: {
        id: "checkDryRun",
        src: "readDryRun",
        onDone: { target: "known", actions: withOutput("storeDryRun") },
        onError: { target: "known", actions: reportFailure("whether it is a dry run could not be read") },
      },
    },
    starting: {
      entry: "forgetProblem",
      invoke: {
        id: "startDryRun",
        src: "startDryRun",
        onDone: { target: "known", actions: withOutput("storeDryRun") },
        onError: {
          target: "checking",
          actions: failed(SWITCH_FAILED, "the dry run was not switched on"),
        },
      },
    },
    reviewing: {
      entry: "forgetProblem",
      on: { "dryRun.stay": "on" },
      invoke: {
        id: "listHeldBack",
        src: "listHeldBack",
        onDone: { target: "reviewed", actions: withOutput("storeHeldBack") },
        onError: { target: "unreviewed", actions: reportFailure("what the dry run held back could not be read") },
      },
    },
    reviewed: { on: { "dryRun.stay": "on", "dryRun.end": "ending" } },
    unreviewed: {
      tags: ["unread"],
      meta: { unread: "what would have gone out" },
      on: { "reading.retry": "reviewing", "dryRun.stay": "on", "dryRun.end": "ending" },
    },
    ending: {
      entry: "forgetProblem",
      invoke: {
        id: "endDryRun",
        src: "endDryRun",
        onDone: { target: "known", actions: [withOutput("storeDryRun"), "announceEnd"] },
        onError: {
          target: "checking",
          actions: failed(SWITCH_FAILED, "the dry run was not switched off"),
        },
      },
    },
  },
});

export type DryRunSnapshot = SnapshotFrom<typeof dryRunMachine>;
