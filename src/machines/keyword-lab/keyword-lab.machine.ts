import { type SnapshotFrom, assign, setup } from "xstate";
import type { UiTextOrString } from "../../../domain/ui-text.ts";
import type { KeywordPreview } from "../../../domain/keyword-lab.ts";
import type { StageDraft } from "../../../domain/stage.ts";
import { createStagesGateway } from "../../services/stages.ts";
import { createChart, withEvent, withOutput } from "../kit/chart.ts";
import { fetching } from "../kit/loading.ts";
import { type Page, createReporter } from "../kit/page.ts";
import { failed, problemOf, readFailure } from "../kit/writing.ts";

type KeywordLabParts = { stages?: Pick<ReturnType<typeof createStagesGateway>, "preview"> };

type KeywordLabContext = {
  /** The stages with their unsaved edits. */
  words: readonly StageDraft[];
  /** The stages of the last trial. */
  tried: readonly StageDraft[];
  preview: KeywordPreview | null;
  problem: UiTextOrString | null;
};

const isSame = (one: readonly StageDraft[], other: readonly StageDraft[]) =>
  JSON.stringify(one) === JSON.stringify(other);

/**
 * Tries edited keywords on the messages of the last 90 days. Results are marked as stale after another edit. Closing the lab cancels a
 * running trial.
 */
export const createKeywordLab = (page: Page, { stages = createStagesGateway(page.http) }: KeywordLabParts = {}) =>
  setup({
    types: {
      input: {} as { words: readonly StageDraft[] },
      context: {} as KeywordLabContext,
      events: {} as
        | { type: "words.edited"; words: readonly StageDraft[] }
        | { type: "lab.try" }
        | { type: "lab.close" },
      tags: {} as "tried",
    },
    actors: { tryWords: fetching(stages.preview) },
    actions: {
      storeWords: assign((_, params: { words: readonly StageDraft[] }) => ({ words: params.words })),
      startTrial: assign(({ context }) => ({ tried: context.words, problem: null })),
      storePreview: assign((_, preview: KeywordPreview | null) => ({ preview })),
      storeProblem: assign(problemOf),
      forgetPreview: assign({ preview: null, problem: null }),
      reportFailure: createReporter(page.logger),
    },
    guards: {
      hasWords: ({ context }) => context.words.length > 0,
      isUnknown: ({ context }) => context.preview === null,
      isEdited: ({ context }) => !isSame(context.words, context.tried),
      isAsTried: ({ context }) => isSame(context.words, context.tried),
    },
  }).createMachine({
    id: "keywordLab",
    context: ({ input }) => ({ words: input.words, tried: [], preview: null, problem: null }),
    on: { "words.edited": { actions: withEvent("storeWords") } },
    initial: "idle",
    states: {
      idle: { on: { "lab.try": { guard: "hasWords", target: "trying" } } },
      trying: {
        entry: "startTrial",
        on: { "lab.close": { target: "idle", actions: "forgetPreview" } },
        invoke: {
          id: "tryWords",
          src: "tryWords",
          input: ({ context }) => ({ stages: context.tried }),
          onDone: { target: "judging", actions: withOutput("storePreview") },
          onError: {
            target: "loadFailed",
            actions: failed(readFailure("The words could not be tried."), "the words were not tried"),
          },
        },
      },
      judging: { always: [{ guard: "isUnknown", target: "absent" }, { target: "shown" }] },
      shown: {
        tags: "tried",
        always: { guard: "isEdited", target: "stale" },
        on: { "lab.try": "trying", "lab.close": { target: "idle", actions: "forgetPreview" } },
      },
      stale: {
        tags: "tried",
        always: { guard: "isAsTried", target: "shown" },
        on: {
          "lab.try": { guard: "hasWords", target: "trying" },
          "lab.close": { target: "idle", actions: "forgetPreview" },
        },
      },
      loadFailed: {
        on: {
          "lab.try": { guard: "hasWords", target: "trying" },
          "lab.close": { target: "idle", actions: "forgetPreview" },
        },
      },
      /** The server does not know the call. */
      absent: {},
    },
  });

export const KeywordLab = createChart<typeof createKeywordLab>("keyword lab");

/** Returns the figures of the last trial, even if the keywords were edited since; null without one. */
export const selectPreview = (lab: SnapshotFrom<typeof createKeywordLab>): KeywordPreview | null =>
  lab.hasTag("tried") ? lab.context.preview : null;
