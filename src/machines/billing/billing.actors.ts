import { fromPromise } from "xstate";
import { notProvided } from "../kit/not-provided.ts";

export type BillingDeps = {
  billing: {
    openCheckout: (signal: AbortSignal) => Promise<string>;
    openPortal: (signal: AbortSignal) => Promise<string>;
    sync: () => Promise<string | null>;
  };
  /** Reads the subscription again and settles when it is known. */
  refreshSubscription: () => Promise<void>;
  /** Sends the browser to another address. */
  openUrl: (url: string) => void;
  /** The page's own origin, against which relative addresses are read. */
  origin: string;
  logger: { warn: (what: string, error: unknown) => void };
};

/** An address to go to, or null when what the server named is no safe place to send a person. */
export type Destination = string | null;

export const placeholderActors = {
  openCheckout: notProvided<Destination, void>("openCheckout"),
  openPortal: notProvided<Destination, void>("openPortal"),
  syncSubscription: notProvided<void, void>("syncSubscription"),
};

export const createBillingActors = ({ billing, refreshSubscription, origin }: BillingDeps) => ({
  openCheckout: fromPromise<Destination, void>(async ({ signal }) =>
    safeDestination(await billing.openCheckout(signal), origin),
  ),
  openPortal: fromPromise<Destination, void>(async ({ signal }) =>
    safeDestination(await billing.openPortal(signal), origin),
  ),
  syncSubscription: fromPromise<void, void>(async ({ signal }) => {
    try {
      await billing.sync();
    } finally {
      if (!signal.aborted) await refreshSubscription();
    }
  }),
});

/** The address when it is https, of this origin, or of this very machine; null for everything else. */
export function safeDestination(url: string, origin: string): Destination {
  const target = URL.canParse(url, origin) ? new URL(url, origin) : null;
  if (target === null || target.username !== "" || target.password !== "") return null;
  const isLoopback = ["localhost", "127.0.0.1", "[::1]"].includes(target.hostname);
  const isSafe =
    target.protocol === "https:" || (target.protocol === "http:" && (target.origin === origin || isLoopback));
  return isSafe ? target.href : null;
}
