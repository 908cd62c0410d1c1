import { type ActorRefFrom, type SnapshotFrom, and, assign, setup } from "xstate";
import type { Stage } from "../../../domain/stage.ts";
import type { Conversion } from "../../../domain/stats.ts";
import { type Figures, placeholderActors } from "./stats.actors.ts";
import type { Period, PeriodName } from "./stats.period.ts";

type Context = {
  period: Period;
  stages: Stage[];
  figures: Figures;
  conversionStageId: string;
  conversion: Conversion | null;
};

const NO_FIGURES: Figures = { volume: null, total: null, breakdown: null, funnel: null };

const reportFailure: (_: unknown, params: { what: string; error: unknown }) => void = () => {};
const unheard = (what: string) => ({
  type: "reportFailure" as const,
  params: ({ event }: { event: { error: unknown } }) => ({ what, error: event.error }),
});

/**
 * The figures of one period. Stages, figures and the conversion load beside each other; a newer choice gives the older
 * call up, so only the newest period is ever shown.
 */
export const statsMachine = setup({
  types: {
    context: {} as Context,
    events: {} as
      | { type: "period.choose"; name: PeriodName }
      | { type: "dates.choose"; start: string; end: string }
      | { type: "conversionStage.choose"; stageId: string },
  },
  actors: placeholderActors,
  actions: {
    storePeriod: assign(({ context }, params: { name: PeriodName }) => ({
      period: { ...context.period, name: params.name },
    })),
    storeDates: assign(({ context }, params: { start: string; end: string }) => ({
      period: { ...context.period, start: params.start, end: params.end },
    })),
    storeStages: assign((_, params: { stages: Stage[] }) => ({
      stages: params.stages,
      conversionStageId: params.stages.at(-1)?.id ?? "",
    })),
    storeFigures: assign((_, params: { figures: Figures }) => ({ figures: params.figures })),
    forgetFigures: assign({ figures: NO_FIGURES }),
    storeConversionStage: assign((_, params: { stageId: string }) => ({ conversionStageId: params.stageId })),
    storeConversion: assign((_, params: { conversion: Conversion }) => ({ conversion: params.conversion })),
    forgetConversion: assign({ conversion: null }),
    reportFailure,
  },
  guards: {
    isPeriodComplete: ({ context: { period } }) =>
      period.name !== "custom" || (period.start !== "" && period.end !== ""),
    hasConversionStage: ({ context }) => context.conversionStageId !== "" && context.stages.length > 0,
    canConvert: and(["isPeriodComplete", "hasConversionStage"]),
  },
}).createMachine({
  id: "stats",
  context: {
    period: { name: "7d", start: "", end: "" },
    stages: [],
    figures: NO_FIGURES,
    conversionStageId: "",
    conversion: null,
  },
  type: "parallel",
  states: {
    stages: {
      initial: "loading",
      states: {
        loading: {
          invoke: {
            id: "listStages",
            src: "listStages",
            onDone: {
              target: "loaded",
              actions: { type: "storeStages", params: ({ event }) => ({ stages: event.output }) },
            },
            onError: { target: "missing", actions: unheard("the stages were not loaded") },
          },
        },
        loaded: {},
        missing: {},
      },
    },
    figures: {
      initial: "checking",
      on: {
        "period.choose": {
          target: ".checking",
          actions: { type: "storePeriod", params: ({ event }) => event },
        },
        "dates.choose": {
          target: ".checking",
          actions: { type: "storeDates", params: ({ event }) => event },
        },
      },
      states: {
        checking: { always: [{ guard: "isPeriodComplete", target: "loading" }, { target: "awaitingDates" }] },
        awaitingDates: { entry: "forgetFigures" },
        loading: {
          invoke: {
            id: "fetchFigures",
            src: "fetchFigures",
            input: ({ context }) => ({ period: context.period }),
            onDone: {
              target: "shown",
              actions: { type: "storeFigures", params: ({ event }) => ({ figures: event.output }) },
            },
            onError: { target: "shown", actions: ["forgetFigures", unheard("the figures were not loaded")] },
          },
        },
        shown: {},
      },
    },
    conversion: {
      initial: "checking",
      on: {
        "period.choose": ".checking",
        "dates.choose": ".checking",
        "conversionStage.choose": {
          target: ".checking",
          actions: { type: "storeConversionStage", params: ({ event }) => event },
        },
      },
      states: {
        checking: {
          always: [{ guard: "canConvert", target: "loading" }, { target: "absent" }],
        },
        // The stages may arrive after the period was chosen.
        absent: {
          entry: "forgetConversion",
          always: { guard: "canConvert", target: "loading" },
        },
        failed: { entry: "forgetConversion" },
        loading: {
          invoke: {
            id: "fetchConversion",
            src: "fetchConversion",
            input: ({ context: { period, conversionStageId, stages } }) => ({
              period,
              stageId: conversionStageId,
              stages,
            }),
            onDone: {
              target: "shown",
              actions: { type: "storeConversion", params: ({ event }) => ({ conversion: event.output }) },
            },
            onError: { target: "failed", actions: unheard("the conversion was not loaded") },
          },
        },
        shown: {},
      },
    },
  },
});

export type StatsRef = ActorRefFrom<typeof statsMachine>;
export type StatsSnapshot = SnapshotFrom<typeof statsMachine>;
