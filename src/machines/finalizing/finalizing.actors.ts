import { fromPromise } from "xstate";
import { notProvided } from "../kit/not-provided.ts";

export type FinalizingDeps = {
  billing: {
    confirm: (input: { sessionId: string }) => Promise<string | null>;
    sync: () => Promise<string | null>;
  };
  /** Takes the person to the billing screen, as one who comes from a checkout. */
  openBilling: () => void;
  logger: { warn: (what: string, error: unknown) => void };
};

export const placeholderActors = {
  confirmCheckout: notProvided<string | null, { sessionId: string }>("confirmCheckout"),
  syncSubscription: notProvided<string | null, void>("syncSubscription"),
};

/** Neither call takes a signal: what the screen does not wait for any more still finishes the checkout. */
export const createFinalizingActors = ({ billing }: FinalizingDeps) => ({
  confirmCheckout: fromPromise<string | null, { sessionId: string }>(({ input }) => billing.confirm(input)),
  syncSubscription: fromPromise<string | null, void>(() => billing.sync()),
});
