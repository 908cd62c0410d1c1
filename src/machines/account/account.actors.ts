import { fromPromise } from "xstate";
import { notProvided } from "../kit/not-provided.ts";
import { type WritingDeps, writing } from "../kit/writing.ts";

export type DeletionOutcome = { kind: "deleted" } | { kind: "refused"; message: string };

export type AccountDeps = WritingDeps & {
  account: {
    exportData: (signal: AbortSignal) => Promise<Blob>;
    deleteAccount: (input: { password: string }) => Promise<DeletionOutcome>;
  };
  /** Hands a file to the browser to keep. */
  saveFile: (file: Blob, name: string) => void;
  /** Ends the session of an account that is no more. */
  endSession: () => void;
};

export const NOT_DELETED = "Your account could not be deleted. Try again.";

export const placeholderActors = {
  exportData: notProvided<Blob, void>("exportData"),
  deleteAccount: notProvided<DeletionOutcome, { password: string }>("deleteAccount"),
};

export const createAccountActors = ({ account, endSession, ...page }: AccountDeps) => ({
  exportData: fromPromise<Blob, void>(({ signal }) => account.exportData(signal)),
  deleteAccount: writing<DeletionOutcome, { password: string }>(page, (input) => account.deleteAccount(input), {
    done: (outcome) => {
      if (outcome.kind === "refused") return { failed: outcome.message };
      endSession();
      return "Your account was deleted.";
    },
    failed: NOT_DELETED,
  }),
});
