import { fromPromise } from "xstate";
import { notProvided } from "../kit/not-provided.ts";

export type DeletionOutcome = { kind: "deleted" } | { kind: "refused"; message: string };

export type AccountDeps = {
  account: {
    exportData: (signal: AbortSignal) => Promise<Blob>;
    deleteAccount: (input: { password: string }, signal: AbortSignal) => Promise<DeletionOutcome>;
  };
  /** Hands a file to the browser to keep. */
  saveFile: (file: Blob, name: string) => void;
  /** Ends the session of an account that is no more. */
  endSession: () => void;
  logger: { warn: (what: string, error: unknown) => void };
};

export const placeholderActors = {
  exportData: notProvided<Blob, void>("exportData"),
  deleteAccount: notProvided<DeletionOutcome, { password: string }>("deleteAccount"),
};

export const createAccountActors = ({ account }: AccountDeps) => ({
  exportData: fromPromise<Blob, void>(({ signal }) => account.exportData(signal)),
  deleteAccount: fromPromise<DeletionOutcome, { password: string }>(({ input, signal }) =>
    account.deleteAccount(input, signal),
  ),
});
