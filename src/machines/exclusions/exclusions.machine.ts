import { msg } from "@lingui/core/runtime-macro";
import { assign, raise, setup } from "xstate";
import type { UiTextOrString } from "../../../domain/ui-text.ts";
import type { Exclusion } from "../../../domain/exclusion.ts";
import { createExclusionsGateway } from "../../services/exclusions.ts";
import { createChart, withEvent, withOutput } from "../kit/chart.ts";
import { type ReadingEvent, type ReadingTag, fetching } from "../kit/loading.ts";
import { type Page, createReporter } from "../kit/page.ts";
import { loadRegion, watchingReturns } from "../kit/refreshing.ts";
import { type FailureText, failed, problemAbout, writing } from "../kit/writing.ts";

type ExclusionsParts = {
  exclusions?: Pick<ReturnType<typeof createExclusionsGateway>, "list" | "restore">;
  /** Called after a lead is restored: its page may show it again. */
  onRestored?: (leadId: string) => void;
};

const RESTORE_FAILED: FailureText = {
  refused: msg`The person was not restored. Try again.`,
  unknown: msg`The person may have been restored.`,
};

type ExclusionsContext = {
  people: readonly Exclusion[];
  active: string | null;
  problem: UiTextOrString | null;
  about: string | null;
};

/** The people who are excluded from leads; each can be restored, one at a time. */
export const createExclusions = (
  page: Page,
  { exclusions = createExclusionsGateway(page.http), onRestored }: ExclusionsParts = {},
) =>
  setup({
    types: {
      context: {} as ExclusionsContext,
      events: {} as ReadingEvent | { type: "person.restore"; telegramUserId: string },
      tags: {} as ReadingTag,
    },
    actors: {
      listExclusions: fetching(exclusions.list),
      restorePerson: writing(
        page,
        async (person: { telegramUserId: string }) => {
          const leadId = await exclusions.restore(person);
          if (leadId !== null) onRestored?.(leadId);
          return leadId;
        },
        { done: "Restored.", failed: RESTORE_FAILED },
      ),
      watchExclusions: watchingReturns((listener) => page.events.subscribe("exclusions.changed", listener)),
    },
    actions: {
      storePeople: assign((_, people: readonly Exclusion[]) => ({ people })),
      choose: assign((_, { telegramUserId }: { telegramUserId: string }) => ({
        active: telegramUserId,
        problem: null,
      })),
      clearActive: assign({ active: null }),
      dropActive: assign(({ context: { people, active } }) => ({
        people: people.filter((person) => person.telegram_user_id !== active),
      })),
      storeProblem: assign(problemAbout(({ active }: ExclusionsContext) => active)),
      announceRestored: (_args, leadId: string | null) =>
        page.notifier.toast(
          leadId === null
            ? msg`Restored. The next message makes a new lead of this person.`
            : msg`The lead is there again.`,
        ),
      refresh: raise({ type: "reading.refresh" }),
      reportFailure: createReporter(page.logger),
    },
    guards: {
      isListed: ({ context }, { telegramUserId }: { telegramUserId: string }) =>
        context.people.some((person) => person.telegram_user_id === telegramUserId),
    },
  }).createMachine({
    id: "exclusions",
    context: { people: [], active: null, problem: null, about: null },
    invoke: { id: "watchExclusions", src: "watchExclusions" },
    type: "parallel",
    states: {
      list: loadRegion({ src: "listExclusions", store: "storePeople", what: msg`who is excluded` }),
      work: {
        initial: "resting",
        states: {
          resting: {
            entry: "clearActive",
            on: {
              "person.restore": { guard: withEvent("isListed"), target: "restoring", actions: withEvent("choose") },
            },
          },
          restoring: {
            invoke: {
              id: "restorePerson",
              src: "restorePerson",
              input: ({ context }) => ({ telegramUserId: context.active ?? "" }),
              onDone: {
                target: "resting",
                actions: [withOutput("announceRestored"), "dropActive", "refresh"],
              },
              onError: {
                target: "resting",
                actions: [...failed(RESTORE_FAILED, "an exclusion was not ended"), "refresh"],
              },
            },
          },
        },
      },
    },
  });

export const Exclusions = createChart<typeof createExclusions>("exclusions");
