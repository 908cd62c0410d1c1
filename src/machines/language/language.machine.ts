import { msg } from "@lingui/core/runtime-macro";
import { assign, setup } from "xstate";
import type { Locale } from "../../../domain/locales.ts";
import type { UiTextOrString } from "../../../domain/ui-text.ts";
import { createSettingsGateway } from "../../services/settings.ts";
import type { LanguageStore } from "../../language/store.ts";
import { createChart, withEvent, withOutput } from "../kit/chart.ts";
import { type ReadingTag, fetching, initialLoad } from "../kit/loading.ts";
import { type Page, createReporter } from "../kit/page.ts";
import { type FailureText, failed, isUnanswered, problemOf, writing } from "../kit/writing.ts";

type LanguageParts = {
  settings?: Pick<ReturnType<typeof createSettingsGateway>, "readLanguage" | "saveLanguage">;
  language: Pick<LanguageStore, "choose" | "ofVisitor">;
};

type LanguageContext = {
  /** The language in the user's settings; null follows the browser. */
  saved: Locale | null;
  /** The language being saved. */
  wanted: Locale | null;
  problem: UiTextOrString | null;
};

const SAVE_FAILED: FailureText = {
  refused: msg`The language was not saved. Try again.`,
  unknown: msg`The language may have been saved.`,
};

/**
 * The user's language setting. Once loaded, it becomes the page's language. If the user has none, the language chosen on this device
 * before the login is saved. A choice shows at once and is then saved.
 */
export const createLanguage = (page: Page, { settings = createSettingsGateway(page.http), language }: LanguageParts) =>
  setup({
    types: {
      context: {} as LanguageContext,
      events: {} as
        | { type: "reading.retry" }
        | { type: "language.choose"; language: Locale | null }
        // From another tab.
        | { type: "language.saved"; language: Locale | null },
      tags: {} as ReadingTag,
    },
    actors: {
      readLanguage: fetching(settings.readLanguage),
      saveLanguage: writing(page, settings.saveLanguage, { failed: SAVE_FAILED }),
    },
    actions: {
      store: assign(({ context: { saved, problem } }, answered: Locale | null) => ({
        saved: answered,
        // A save without a response has succeeded after all, so its problem is cleared.
        problem: answered === saved ? problem : null,
      })),
      storeOther: assign((_, params: { language: Locale | null }) => ({ saved: params.language, problem: null })),
      storeSaved: assign((_, saved: Locale | null) => ({ saved, problem: null })),
      wantVisitors: assign(() => ({ wanted: language.ofVisitor() })),
      want: assign((_, params: { language: Locale | null }) => ({ wanted: params.language, problem: null })),
      show: (_, params: { language: Locale | null }) => void language.choose(params.language, "user"),
      storeProblem: assign(problemOf),
      reportFailure: createReporter(page.logger),
    },
    guards: {
      isUnanswered,
      isVisitors: ({ context: { saved, problem } }) =>
        saved === null && problem === null && language.ofVisitor() !== null,
    },
  }).createMachine({
    id: "language",
    context: { saved: null, wanted: null, problem: null },
    initial: "loading",
    states: {
      ...initialLoad({ src: "readLanguage", store: "store", what: msg`the language`, shown: "deciding" }),
      deciding: {
        always: [
          { guard: "isVisitors", target: "saving", actions: "wantVisitors" },
          { target: "resting", actions: { type: "show", params: ({ context }) => ({ language: context.saved }) } },
        ],
      },
      resting: {
        on: {
          "language.choose": { target: "saving", actions: [withEvent("want"), withEvent("show")] },
          "language.saved": { actions: withEvent("storeOther") },
        },
      },
      saving: {
        invoke: {
          id: "saveLanguage",
          src: "saveLanguage",
          input: ({ context }) => ({ language: context.wanted }),
          onDone: {
            target: "resting",
            actions: [withOutput("storeSaved"), { type: "show", params: ({ event }) => ({ language: event.output }) }],
          },
          onError: [
            {
              guard: withEvent("isUnanswered"),
              target: "loading",
              actions: failed(SAVE_FAILED, "the language was not saved"),
            },
            { target: "resting", actions: failed(SAVE_FAILED, "the language was not saved") },
          ],
        },
      },
    },
  });

export const Language = createChart<typeof createLanguage>("language");
