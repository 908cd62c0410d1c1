import { type SnapshotFrom, assign, raise, setup } from "xstate";
import type { Exclusion } from "../../../domain/exclusion.ts";
import { withEvent } from "../kit/payload.ts";
import { type ReadingEvent, type ReadingTag, reading } from "../kit/reading.ts";
import { failed, problemAbout } from "../kit/failed.ts";
import { unreported } from "../kit/reporting.ts";
import { RESTORE_FAILED, placeholderActors } from "./exclusions.actors.ts";

type ExclusionsContext = {
  people: readonly Exclusion[];
  active: string | null;
  problem: string | null;
  about: string | null;
};

/** Who is not a lead, and the way back for each of them, one at a time. */
export const exclusionsMachine = setup({
  types: {
    context: {} as ExclusionsContext,
    events: {} as ReadingEvent | { type: "person.restore"; telegramUserId: string },
    tags: {} as ReadingTag,
  },
  actors: placeholderActors,
  actions: {
    storePeople: assign((_, people: readonly Exclusion[]) => ({ people })),
    choose: assign((_, { telegramUserId }: { telegramUserId: string }) => ({ active: telegramUserId, problem: null })),
    letGo: assign({ active: null }),
    dropActive: assign(({ context: { people, active } }) => ({
      people: people.filter((person) => person.telegram_user_id !== active),
    })),
    storeProblem: assign(problemAbout(({ active }: ExclusionsContext) => active)),
    tell: (_args, _params: { leadId: string | null }) => {},
    refresh: raise({ type: "reading.refresh" }),
    reportFailure: unreported,
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
    list: reading({ src: "listExclusions", store: "storePeople", what: "who is excluded" }),
    work: {
      initial: "resting",
      states: {
        resting: {
          entry: "letGo",
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
              actions: [{ type: "tell", params: ({ event }) => ({ leadId: event.output }) }, "dropActive", "refresh"],
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

export type ExclusionsSnapshot = SnapshotFrom<typeof exclusionsMachine>;
