import { fromPromise } from "xstate";
import { notProvided } from "../kit/not-provided.ts";
import { type WritingDeps, writing } from "../kit/writing.ts";
import type { FailureText } from "../kit/failed.ts";

export type ReadReceiptsDeps = WritingDeps & {
  receipts: {
    readReceipts(signal: AbortSignal): Promise<boolean>;
    /** Resolves to what holds from now on. */
    saveReceipts(input: { isOn: boolean }): Promise<boolean>;
  };
};

export const SAVE_FAILED: FailureText = {
  refused: "It was not saved. Try again.",
  unknown: "It may have been saved.",
};

export const placeholderActors = {
  readReceipts: notProvided<boolean, void>("readReceipts"),
  saveReceipts: notProvided<boolean, { isOn: boolean }>("saveReceipts"),
};

export const createReadReceiptsActors = ({ receipts, ...page }: ReadReceiptsDeps): typeof placeholderActors => ({
  readReceipts: fromPromise(({ signal }) => receipts.readReceipts(signal)),
  saveReceipts: writing<boolean, { isOn: boolean }>(page, (input) => receipts.saveReceipts(input), {
    failed: {
      refused: "Whether people see that you have read was not saved.",
      unknown: "Whether people see that you have read may have been saved.",
    },
  }),
});
