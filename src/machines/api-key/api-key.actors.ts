import { fromPromise } from "xstate";
import type { ApiKey, NewApiKey, Scope } from "../../../domain/api-key.ts";
import { notProvided } from "../kit/not-provided.ts";
import { unwatched, watchingReturns } from "../kit/reading.ts";
import type { FailureText } from "../kit/failed.ts";
import { type Notifier, confirming } from "../kit/speaking.ts";
import { type WritingDeps, writing } from "../kit/writing.ts";

/** A key as it is asked for. */
export type KeyForm = { name: string; scopes: readonly Scope[] };

export type ApiKeyGateway = {
  list(signal: AbortSignal): Promise<readonly ApiKey[]>;
  create(input: KeyForm): Promise<NewApiKey>;
  /** A key that is gone already counts as revoked. */
  revoke(input: { id: string }): Promise<void>;
};

export type ApiKeyDeps = WritingDeps & {
  keys: ApiKeyGateway;
  notifier: Pick<Notifier, "toast" | "warn" | "confirm">;
  /** Rejects where the browser does not let the page copy. */
  copyText: (text: string) => Promise<void>;
  /** Tells when the page comes back: when a key was last used may be old. */
  onReturn: (listener: () => void) => () => void;
};

/** Without an answer nobody knows whether there is a key now, and its secret would be lost. */
export const CREATION_FAILED: FailureText = {
  refused: "The key was not created. Try again.",
  unknown: "The key may have been created. Try again: you get the same key, with a secret to copy.",
};
export const REVOCATION_FAILED: FailureText = {
  refused: "The key was not revoked: it still works. Try again.",
  unknown: "The key may have been revoked. If it is still in the list, it works: try again.",
};

export const placeholderActors = {
  listKeys: notProvided<readonly ApiKey[], void>("listKeys"),
  createKey: notProvided<NewApiKey, KeyForm>("createKey"),
  copyText: notProvided<void, { text: string }>("copyText"),
  askConfirmation: notProvided<boolean, { message: string }>("askConfirmation"),
  revokeKey: notProvided<void, { id: string }>("revokeKey"),
  watchReturns: unwatched,
};

export const createApiKeyActors = ({ keys, copyText, onReturn, ...page }: ApiKeyDeps): typeof placeholderActors => ({
  listKeys: fromPromise(({ signal }) => keys.list(signal)),
  createKey: writing<NewApiKey, KeyForm>(page, (input) => keys.create(input), {
    // Nobody is there to be shown the secret.
    done: ({ name }) => ({
      failed: `The key '${name}' was created after you had left, and its secret was not shown. Revoke it and create another.`,
    }),
    failed: CREATION_FAILED,
  }),
  copyText: fromPromise(({ input }) => copyText(input.text)),
  askConfirmation: confirming(page.notifier),
  revokeKey: writing<void, { id: string }>(page, (input) => keys.revoke(input), {
    done: "The key was revoked.",
    failed: REVOCATION_FAILED,
  }),
  watchReturns: watchingReturns(onReturn),
});
