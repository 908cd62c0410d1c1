import { msg } from "@lingui/core/runtime-macro";
import { type SnapshotFrom, assign, setup } from "xstate";
import type { UiTextOrString } from "../../../domain/ui-text.ts";
import { createSettingsGateway } from "../../services/settings.ts";
import { createChart, withOutput } from "../kit/chart.ts";
import { type ReadingEvent, type ReadingTag, fetching } from "../kit/loading.ts";
import { type Page, createReporter, reportFailure } from "../kit/page.ts";
import { refreshableLoad, watchingReturns } from "../kit/refreshing.ts";
import { type FailureText, failed, problemOf, writing } from "../kit/writing.ts";

type DryRunService = Pick<ReturnType<typeof createSettingsGateway>, "readDryRun" | "saveDryRun" | "listHeldBack">;

/** What dry runs held back, newest first; `hasMore` if the list is incomplete. `since` is the start of the dry run, as ISO text. */
export type HeldBack = Awaited<ReturnType<DryRunService["listHeldBack"]>> & { since: string | null };

export type DryRunParts = {
  /** Stores when dry run was switched on, in this browser. */
  memory: { read(): string | null; write(since: string): void; clear(): void };
  /** The current time, as ISO text. */
  now: () => string;
  /** Reports when the page comes back: another tab may have switched it. */
  onReturn?: (listener: () => void) => () => void;
  dryRun?: DryRunService;
};

const SWITCH_FAILED: FailureText = {
  refused: msg`It was not switched. Try again.`,
  unknown: msg`It may have been switched.`,
};

type DryRunContext = {
  /** null if the server does not know dry run */
  isOn: boolean | null;
  /** the messages held back, as last read, and since when */
  heldBack: HeldBack | null;
  problem: UiTextOrString | null;
};

/**
 * Whether automatic messages are only recorded, not sent. Leaving dry run takes two steps: the user sees what would have been sent, then
 * lets messages go out from that moment on. It cannot be switched before it has loaded.
 */
export const createDryRun = (
  page: Page,
  { memory, now, onReturn, dryRun = createSettingsGateway(page.http) }: DryRunParts,
) =>
  setup({
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
    actors: {
      readDryRun: fetching(async (signal: AbortSignal) => {
        const isOn = await dryRun.readDryRun(signal);
        if (isOn === false) memory.clear();
        return isOn;
      }),
      startDryRun: writing<boolean, void>(
        page,
        async () => {
          const since = now();
          const isOn = await dryRun.saveDryRun({ isOn: true });
          memory.write(since);
          return isOn;
        },
        {
          done: msg`Dry run is on.`,
          failed: { refused: msg`Dry run was not switched on.`, unknown: msg`Dry run may be on.` },
        },
      ),
      endDryRun: writing<boolean, void>(
        page,
        async () => {
          const isOn = await dryRun.saveDryRun({ isOn: false });
          memory.clear();
          return isOn;
        },
        {
          done: msg`Dry run is over.`,
          failed: { refused: msg`Dry run was not switched off.`, unknown: msg`Dry run may be over.` },
        },
      ),
      listHeldBack: fetching(async (signal: AbortSignal): Promise<HeldBack> => {
        const since = memory.read();
        return { since, ...(await dryRun.listHeldBack({ since }, signal)) };
      }),
      watchReturns: watchingReturns(onReturn),
    },
    actions: {
      storeDryRun: assign(({ context }, isOn: boolean | null) => ({
        isOn,
        // A save without a response has succeeded after all, so its problem is cleared.
        problem: isOn === context.isOn ? context.problem : null,
      })),
      storeHeldBack: assign((_, heldBack: HeldBack) => ({ heldBack })),
      storeProblem: assign(problemOf),
      forgetProblem: assign({ problem: null }),
      announceEnd: () => page.notifier.toast(msg`Dry run is over: automatic messages go out from now on.`),
      reportFailure: createReporter(page.logger),
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
      ...refreshableLoad({
        src: "readDryRun",
        store: "storeDryRun",
        what: msg`whether it is a dry run`,
        shown: "known",
      }),
      known: {
        always: [{ guard: "isUnknown", target: "absent" }, { guard: "isOn", target: "on" }, { target: "off" }],
      },
      /** The server does not know dry run. */
      absent: {},
      off: { on: { "dryRun.start": "starting", "reading.refresh": "checking" } },
      on: { on: { "dryRun.leave": "reviewing", "reading.refresh": "checking" } },
      /** Another tab may have switched it; until that is known the old value stays usable. */
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
        on: { "dryRun.stay": "checking" },
        invoke: {
          id: "listHeldBack",
          src: "listHeldBack",
          onDone: { target: "reviewed", actions: withOutput("storeHeldBack") },
          onError: { target: "unreviewed", actions: reportFailure("what the dry run held back could not be read") },
        },
      },
      reviewed: { on: { "dryRun.stay": "checking", "dryRun.end": "ending" } },
      unreviewed: {
        tags: ["loadFailed"],
        meta: { loadFailed: msg`what would have gone out` },
        on: { "reading.retry": "reviewing", "dryRun.stay": "checking", "dryRun.end": "ending" },
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

export const DryRun = createChart<typeof createDryRun>("dryRun");

/** The user's step when leaving dry run; null if they are not leaving it. */
export function selectReview(
  chart: SnapshotFrom<typeof createDryRun>,
): "reading" | "shown" | "loadFailed" | "ending" | null {
  if (chart.matches("reviewing")) return "reading";
  if (chart.matches("reviewed")) return "shown";
  if (chart.matches("unreviewed")) return "loadFailed";
  return chart.matches("ending") ? "ending" : null;
}
