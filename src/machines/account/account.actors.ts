import { fromPromise } from "xstate";
import { notProvided } from "../kit/not-provided.ts";
import { type WritingDeps, writing } from "../kit/writing.ts";
import type { FailureText } from "../kit/failed.ts";

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
  /** Asks whether the session still holds; where it does not, it ends on this page too. */
  checkSession: () => void;
};

export const DELETION_FAILED: FailureText = {
  refused: "Your account could not be deleted. Try again.",
  unknown: "Your account may have been deleted. If it was, this page logs you out in a moment.",
};

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
    failed: DELETION_FAILED,
  }),
});
