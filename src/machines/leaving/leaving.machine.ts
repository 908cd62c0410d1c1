import { type ActorRefFrom, type SnapshotFrom, assign, emit, setup } from "xstate";
import { isConfirmed } from "../kit/asking.ts";
import { notProvided } from "../kit/not-provided.ts";

/** Where a person is going: to another address, back to where the browser's history leads, or out of the account. */
export type Departure = { kind: "address"; to: string } | { kind: "history" } | { kind: "logOut" };

/** Whoever leaves a screen with unsaved changes is asked first; while nothing is unsaved, every way out is open. */
export const leavingMachine = setup({
  types: {
    context: {} as { departure: Departure | null },
    events: {} as { type: "work.unsaved" } | { type: "work.saved" } | { type: "screen.leave"; departure: Departure },
    emitted: {} as { type: "work.discarded" },
  },
  actors: { askConfirmation: notProvided<boolean, { message: string }>("askConfirmation") },
  actions: {
    storeDeparture: assign((_, params: { departure: Departure }) => ({ departure: params.departure })),
    /** The person would rather go than keep it. */
    tellDiscarded: emit({ type: "work.discarded" }),
    depart: (_args, _params: { departure: Departure | null }) => {},
  },
  guards: { isConfirmed },
}).createMachine({
  id: "leaving",
  context: { departure: null },
  initial: "free",
  states: {
    free: {
      on: {
        "work.unsaved": "guarding",
        "screen.leave": { actions: { type: "depart", params: ({ event }) => event } },
      },
    },
    guarding: {
      on: {
        "work.saved": "free",
        "screen.leave": {
          target: "awaitingAnswer",
          actions: { type: "storeDeparture", params: ({ event }) => event },
        },
      },
    },
    awaitingAnswer: {
      on: { "work.saved": "free" },
      invoke: {
        id: "askConfirmation",
        src: "askConfirmation",
        input: { message: "You have unsaved changes. Leave without saving them?" },
        onDone: [
          {
            guard: { type: "isConfirmed", params: ({ event }) => ({ isConfirmed: event.output }) },
            target: "free",
            actions: ["tellDiscarded", { type: "depart", params: ({ context }) => ({ departure: context.departure }) }],
          },
          { target: "guarding" },
        ],
        onError: "guarding",
      },
    },
  },
});

export type LeavingRef = ActorRefFrom<typeof leavingMachine>;
export type LeavingSnapshot = SnapshotFrom<typeof leavingMachine>;
