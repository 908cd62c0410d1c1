import { msg } from "@lingui/core/runtime-macro";
import { assign, setup } from "xstate";
import type { UiTextOrString } from "../../../domain/ui-text.ts";
import { createSettingsGateway } from "../../services/settings.ts";
import { createChart, withOutput } from "../kit/chart.ts";
import { type ReadingEvent, type ReadingTag, fetching } from "../kit/loading.ts";
import { type Page, createReporter } from "../kit/page.ts";
import { refreshable, refreshableLoad, watchingReturns } from "../kit/refreshing.ts";
import { type FailureText, failed, problemOf, writing } from "../kit/writing.ts";

type Receipts = Pick<ReturnType<typeof createSettingsGateway>, "readReceipts" | "saveReceipts">;

const SAVE_FAILED: FailureText = {
  refused: msg`It was not saved. Try again.`,
  unknown: msg`It may have been saved.`,
};

const receiptsReading = { src: "readReceipts", store: "store", what: msg`the read receipts` } as const;
const shown = refreshable(receiptsReading);

/**
 * Whether people see that their messages were read before they are answered. The switch appears once the setting has loaded; one change
 * is saved at a time.
 */
export const createReadReceipts = (page: Page, receipts: Receipts = createSettingsGateway(page.http)) =>
  setup({
    types: {
      context: {} as { isOn: boolean; problem: UiTextOrString | null },
      events: {} as ReadingEvent | { type: "receipts.switch" },
      tags: {} as ReadingTag,
    },
    actors: {
      readReceipts: fetching(receipts.readReceipts),
      saveReceipts: writing(page, receipts.saveReceipts, {
        failed: {
          refused: msg`Whether people see that you have read was not saved.`,
          unknown: msg`Whether people see that you have read may have been saved.`,
        },
      }),
      watchReturns: watchingReturns(),
    },
    actions: {
      store: assign(({ context }, isOn: boolean) => ({
        isOn,
        // A save without a response has succeeded after all, so its problem is cleared.
        problem: isOn === context.isOn ? context.problem : null,
      })),
      storeProblem: assign(problemOf),
      reportFailure: createReporter(page.logger),
    },
  }).createMachine({
    id: "readReceipts",
    context: { isOn: false, problem: null },
    invoke: { id: "watchReturns", src: "watchReturns" },
    initial: "loading",
    states: {
      ...refreshableLoad({ ...receiptsReading, shown: "known" }),
      known: { ...shown, on: { ...shown.on, "receipts.switch": "saving" } },
      saving: {
        invoke: {
          id: "saveReceipts",
          src: "saveReceipts",
          input: ({ context }) => ({ isOn: !context.isOn }),
          onDone: { target: "known", actions: withOutput("store") },
          onError: {
            target: "known.refreshing",
            actions: failed(SAVE_FAILED, "the read receipts were not saved"),
          },
        },
      },
    },
  });

export const ReadReceipts = createChart<typeof createReadReceipts>("readReceipts");
