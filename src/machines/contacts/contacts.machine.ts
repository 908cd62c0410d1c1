import { type SnapshotFrom, assign, setup } from "xstate";
import { asking, isConfirmed } from "../kit/asking.ts";
import { withOutput } from "../kit/payload.ts";
import { type ReadingEvent, type ReadingTag, firstReading, shownReading } from "../kit/reading.ts";
import { failed, problemOf } from "../kit/failed.ts";
import { unreported } from "../kit/reporting.ts";
import { SAVE_FAILED, QUESTION, placeholderActors } from "./contacts.actors.ts";

const contactsReading = { src: "readContacts", store: "store", what: "whether contacts become leads" } as const;
const shown = shownReading(contactsReading);

/**
 * Whether the people in the account's contacts are left out. There is no switch before it was read, and they are left out only after a
 * question: what they write from then on is not kept. Taking them in again loses nothing and is not asked about.
 */
export const contactsMachine = setup({
  types: {
    context: {} as { areLeftOut: boolean; problem: string | null },
    events: {} as ReadingEvent | { type: "contacts.switch" },
    tags: {} as ReadingTag,
  },
  actors: placeholderActors,
  actions: {
    store: assign(({ context }, areLeftOut: boolean) => ({
      areLeftOut,
      // A change that came about without an answer is no problem any more.
      problem: areLeftOut === context.areLeftOut ? context.problem : null,
    })),
    storeProblem: assign(problemOf),
    announce: (_args, _params: { areLeftOut: boolean }) => {},
    reportFailure: unreported,
  },
  guards: { areLeftOut: ({ context }) => context.areLeftOut, isConfirmed },
}).createMachine({
  id: "contacts",
  context: { areLeftOut: false, problem: null },
  invoke: { id: "watchReturns", src: "watchReturns" },
  initial: "loading",
  states: {
    ...firstReading({ ...contactsReading, shown: "known" }),
    known: {
      ...shown,
      on: {
        ...shown.on,
        "contacts.switch": [{ guard: "areLeftOut", target: "saving" }, { target: "awaitingConfirmation" }],
      },
    },
    awaitingConfirmation: asking({ message: QUESTION }, { yes: "saving", no: "known" }),
    saving: {
      invoke: {
        id: "saveContacts",
        src: "saveContacts",
        input: ({ context }) => ({ areLeftOut: !context.areLeftOut }),
        onDone: {
          target: "known",
          actions: [withOutput("store"), { type: "announce", params: ({ event }) => ({ areLeftOut: event.output }) }],
        },
        onError: {
          target: "known.refreshing",
          actions: failed(SAVE_FAILED, "whether contacts become leads was not saved"),
        },
      },
    },
  },
});

export type ContactsSnapshot = SnapshotFrom<typeof contactsMachine>;
