import { type SnapshotFrom, assign, setup } from "xstate";
import { failed, problemOf, readFailure } from "../kit/failed.ts";
import { reportFailure, unreported } from "../kit/reporting.ts";
import { type Destination, placeholderActors } from "./billing.actors.ts";

const NOT_OPENED = readFailure("The payment page could not be opened. Try again.");
const UNSAFE = "The payment page gave an address that is not safe to open. Nothing was opened.";

type Opened = { event: { output: Destination } };

/** Asks for the card provider's page, and goes there. */
const opening = <const Src extends "openCheckout" | "openPortal", const What extends string>(src: Src, what: What) => ({
  entry: "forgetProblem" as const,
  invoke: {
    id: src,
    src,
    onDone: [
      {
        guard: { type: "isUnsafe" as const, params: ({ event }: Opened) => ({ url: event.output }) },
        target: "closed" as const,
        actions: "storeUnsafe" as const,
      },
      {
        target: "leaving" as const,
        actions: { type: "storeDestination" as const, params: ({ event }: Opened) => ({ url: event.output }) },
      },
    ],
    onError: { target: "closed" as const, actions: failed(NOT_OPENED, what) },
  },
});

/** The billing screen: reads the subscription anew after a checkout, and sends the browser to the card provider. */
export const billingMachine = setup({
  types: {
    input: {} as { isBack: boolean },
    context: {} as { isBack: boolean; destination: string; problem: string | null },
    events: {} as { type: "checkout.open" } | { type: "portal.open" },
  },
  actors: placeholderActors,
  actions: {
    storeDestination: assign((_, params: { url: Destination }) => ({ destination: params.url ?? "" })),
    storeProblem: assign(problemOf),
    storeUnsafe: assign({ problem: UNSAFE }),
    forgetProblem: assign({ problem: null }),
    openUrl: (_args, _params: { url: string }) => {},
    reportFailure: unreported,
  },
  guards: {
    isBack: ({ context }) => context.isBack,
    isUnsafe: (_, params: { url: Destination }) => params.url === null,
  },
  // The browser is on its way; someone who comes back to this page finds the buttons usable again.
  delays: { departure: 8_000 },
}).createMachine({
  id: "billing",
  context: ({ input }) => ({ isBack: input.isBack, destination: "", problem: null }),
  type: "parallel",
  states: {
    subscription: {
      initial: "arriving",
      states: {
        arriving: { always: [{ guard: "isBack", target: "syncing" }, { target: "current" }] },
        syncing: {
          invoke: {
            id: "syncSubscription",
            src: "syncSubscription",
            onDone: "current",
            onError: {
              target: "current",
              actions: reportFailure("the subscription was not synchronised"),
            },
          },
        },
        current: {},
      },
    },
    provider: {
      initial: "closed",
      states: {
        closed: { on: { "checkout.open": "openingCheckout", "portal.open": "openingPortal" } },
        openingCheckout: opening("openCheckout", "the checkout could not be opened"),
        openingPortal: opening("openPortal", "the billing portal could not be opened"),
        leaving: {
          entry: { type: "openUrl", params: ({ context }) => ({ url: context.destination }) },
          after: { departure: "closed" },
        },
      },
    },
  },
});

export type BillingSnapshot = SnapshotFrom<typeof billingMachine>;
