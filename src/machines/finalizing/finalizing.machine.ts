import { fromPromise, setup } from "xstate";
import { createBillingGateway } from "../../services/billing.ts";
import { createChart } from "../kit/chart.ts";
import { type Page, createReporter, reportFailure } from "../kit/page.ts";

type FinalizingParts = {
  /** Opens the billing screen, as after a checkout. */
  openBilling: () => void;
  billing?: Pick<ReturnType<typeof createBillingGateway>, "confirm" | "sync">;
};

/** Finishes a paid checkout within a few seconds, then opens the billing screen once, whatever the result. */
export const createFinalizing = (
  page: Page,
  { openBilling, billing = createBillingGateway(page.http) }: FinalizingParts,
) =>
  setup({
    types: {
      input: {} as { sessionId: string },
      context: {} as { sessionId: string },
    },
    // Neither call takes a signal: it completes the checkout even if the screen stops waiting.
    actors: {
      confirmCheckout: fromPromise<string | null, { sessionId: string }>(({ input }) => billing.confirm(input)),
      syncSubscription: fromPromise<string | null, void>(() => billing.sync()),
    },
    actions: {
      openBilling,
      reportFailure: createReporter(page.logger),
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

export const Finalizing = createChart<typeof createFinalizing>("finalizing");
