import { msg } from "@lingui/core/runtime-macro";
import { assign, setup } from "xstate";
import type { UiText, UiTextOrString } from "../../../domain/ui-text.ts";
import { createSettingsGateway } from "../../services/settings.ts";
import { createChart, withOutput } from "../kit/chart.ts";
import { confirmState, confirming, isConfirmed } from "../kit/confirming.ts";
import { type ReadingEvent, type ReadingTag, fetching } from "../kit/loading.ts";
import { type Page, createReporter } from "../kit/page.ts";
import { refreshable, refreshableLoad, watchingReturns } from "../kit/refreshing.ts";
import { type FailureText, failed, problemOf, writing } from "../kit/writing.ts";

type ContactsSetting = Pick<ReturnType<typeof createSettingsGateway>, "readContacts" | "saveContacts">;

const SAVE_FAILED: FailureText = {
  refused: msg`It was not saved. Try again.`,
  unknown: msg`It may have been saved.`,
};
const QUESTION = msg`Leave your Telegram contacts out?\n\nFrom now on nothing that your contacts write is stored, and none of them becomes a lead. Contacts who are leads already stay leads, with their conversations.\n\nYou can take them in again at any time, but what they wrote meanwhile does not come by itself.`;

/** The success message for the new value. */
const newsOf = (areLeftOut: boolean): UiText =>
  areLeftOut ? msg`Your contacts are left out from now on.` : msg`Your contacts become leads again when they write.`;

const contactsReading = { src: "readContacts", store: "store", what: msg`whether contacts become leads` } as const;
const shown = refreshable(contactsReading);

/**
 * Whether people in the account's contacts are left out. The switch appears once the setting has loaded. Leaving them out needs a
 * confirmation, because their messages are not stored from then on; including them again does not.
 */
export const createContacts = (page: Page, contacts: ContactsSetting = createSettingsGateway(page.http)) =>
  setup({
    types: {
      context: {} as { areLeftOut: boolean; problem: UiTextOrString | null },
      events: {} as ReadingEvent | { type: "contacts.switch" },
      tags: {} as ReadingTag,
    },
    actors: {
      readContacts: fetching(contacts.readContacts),
      askConfirmation: confirming(page.notifier),
      saveContacts: writing(page, contacts.saveContacts, {
        done: newsOf,
        failed: {
          refused: msg`Whether contacts become leads was not saved.`,
          unknown: msg`Whether contacts become leads may have been saved.`,
        },
      }),
      watchReturns: watchingReturns(),
    },
    actions: {
      store: assign(({ context }, areLeftOut: boolean) => ({
        areLeftOut,
        // A save without a response has succeeded after all, so its problem is cleared.
        problem: areLeftOut === context.areLeftOut ? context.problem : null,
      })),
      storeProblem: assign(problemOf),
      announce: (_args, areLeftOut: boolean) => page.notifier.toast(newsOf(areLeftOut)),
      reportFailure: createReporter(page.logger),
    },
    guards: { areLeftOut: ({ context }) => context.areLeftOut, isConfirmed },
  }).createMachine({
    id: "contacts",
    context: { areLeftOut: false, problem: null },
    invoke: { id: "watchReturns", src: "watchReturns" },
    initial: "loading",
    states: {
      ...refreshableLoad({ ...contactsReading, shown: "known" }),
      known: {
        ...shown,
        on: {
          ...shown.on,
          "contacts.switch": [{ guard: "areLeftOut", target: "saving" }, { target: "awaitingConfirmation" }],
        },
      },
      awaitingConfirmation: confirmState({ message: QUESTION }, { yes: "saving", no: "known.refreshing" }),
      saving: {
        invoke: {
          id: "saveContacts",
          src: "saveContacts",
          input: ({ context }) => ({ areLeftOut: !context.areLeftOut }),
          onDone: {
            target: "known",
            actions: [withOutput("store"), withOutput("announce")],
          },
          onError: {
            target: "known.refreshing",
            actions: failed(SAVE_FAILED, "whether contacts become leads was not saved"),
          },
        },
      },
    },
  });

export const Contacts = createChart<typeof createContacts>("contacts");
