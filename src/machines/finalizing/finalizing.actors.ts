import { fromPromise } from "xstate";
import { notProvided } from "../kit/not-provided.ts";

export type FinalizingDeps = {
  billing: {
    confirm: (input: { sessionId: string }, signal: AbortSignal) => Promise<string | null>;
    sync: (signal: AbortSignal) => Promise<string | null>;
  };
  /** Takes the person to the billing screen, as one who comes from a checkout. */
  openBilling: () => void;
  logger: { warn: (what: string, error: unknown) => void };
};

export const placeholderActors = {
  confirmCheckout: notProvided<string | null, { sessionId: string }>("confirmCheckout"),
  syncSubscription: notProvided<string | null, void>("syncSubscription"),
};

export const createFinalizingActors = ({ billing }: FinalizingDeps) => ({
  confirmCheckout: fromPromise<string | null, { sessionId: string }>(({ input, signal }) =>
    billing.confirm(input, signal),
  ),
  syncSubscription: fromPromise<string | null, void>(({ signal }) => billing.sync(signal)),
});
