import { setup } from "xstate";
import { reportFailure, unreported } from "../kit/reporting.ts";
import { placeholderActors } from "./finalizing.actors.ts";

/** Finishes a paid checkout in at most a few seconds, then leads to the billing screen, once, whatever was answered. */
export const finalizingMachine = setup({
  types: {
    input: {} as { sessionId: string },
    context: {} as { sessionId: string },
  },
  actors: placeholderActors,
  actions: {
    openBilling: () => {},
    reportFailure: unreported,
  },
  guards: { hasNoCheckout: ({ context }) => context.sessionId === "" },
  delays: { confirmLimit: 5_000, syncLimit: 4_000, patience: 8_000 },
}).createMachine({
  id: "finalizing",
  context: ({ input }) => ({ sessionId: input.sessionId }),
  initial: "working",
  states: {
    working: {
      initial: "arriving",
      onDone: "finished",
      after: { patience: "finished" },
      states: {
        arriving: { always: [{ guard: "hasNoCheckout", target: "syncing" }, { target: "confirming" }] },
        confirming: {
          invoke: {
            id: "confirmCheckout",
            src: "confirmCheckout",
            input: ({ context }) => ({ sessionId: context.sessionId }),
            onDone: "syncing",
            onError: {
              target: "syncing",
              actions: reportFailure("the checkout was not confirmed"),
            },
          },
          after: { confirmLimit: "syncing" },
        },
        syncing: {
          invoke: {
            id: "syncSubscription",
            src: "syncSubscription",
            onDone: "synced",
            onError: {
              target: "synced",
              actions: reportFailure("the subscription was not synchronised"),
            },
          },
          after: { syncLimit: "synced" },
        },
        synced: { type: "final" },
      },
    },
    finished: { entry: "openBilling", type: "final" },
  },
});
