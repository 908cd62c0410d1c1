import { msg } from "@lingui/core/runtime-macro";
import { assign, setup } from "xstate";
import type { UiTextOrString } from "../../../domain/ui-text.ts";
import { createSettingsGateway } from "../../services/settings.ts";
import { createChart, withEvent, withOutput } from "../kit/chart.ts";
import { fetching, initialLoad } from "../kit/loading.ts";
import { type Page, createReporter } from "../kit/page.ts";
import { type FailureText, failed, isUnanswered, problemOf, writing } from "../kit/writing.ts";

type Receipts = Pick<ReturnType<typeof createSettingsGateway>, "readReceipts" | "saveReceipts">;

const SAVE_FAILED: FailureText = {
  refused: msg`It was not saved. Try again.`,
  unknown: msg`It may have been saved.`,
};

/**
 * Whether people see that their messages were read before they are answered. The switch appears once the setting has loaded; one change
 * is saved at a time.
 */
export const createReadReceipts = (page: Page, receipts: Receipts = createSettingsGateway(page.http)) =>
  setup({
    types: {
      context: {} as { isOn: boolean; problem: UiTextOrString | null },
      events: {} as { type: "reading.retry" } | { type: "receipts.switch" },
    },
    actors: {
      readReceipts: fetching(receipts.readReceipts),
      saveReceipts: writing(page, receipts.saveReceipts, {
        failed: {
          refused: msg`Whether people see that you have read was not saved.`,
          unknown: msg`Whether people see that you have read may have been saved.`,
        },
      }),
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
    guards: { isUnanswered },
  }).createMachine({
    id: "readReceipts",
    context: { isOn: false, problem: null },
    initial: "loading",
    states: {
      ...initialLoad({ src: "readReceipts", store: "store", what: msg`the read receipts`, shown: "resting" }),
      resting: { on: { "receipts.switch": "saving" } },
      saving: {
        invoke: {
          id: "saveReceipts",
          src: "saveReceipts",
          input: ({ context }) => ({ isOn: !context.isOn }),
          onDone: { target: "resting", actions: withOutput("store") },
          onError: [
            {
              guard: withEvent("isUnanswered"),
              target: "loading",
              actions: failed(SAVE_FAILED, "the read receipts were not saved"),
            },
            { target: "resting", actions: failed(SAVE_FAILED, "the read receipts were not saved") },
          ],
        },
      },
    },
  });

export const ReadReceipts = createChart<typeof createReadReceipts>("readReceipts");
