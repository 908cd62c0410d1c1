import type { AccountSnapshot } from "./account.machine.ts";

export const selectIsExporting = (account: AccountSnapshot) => account.matches("exporting");
export const selectIsDeleting = (account: AccountSnapshot) => account.matches("deleting");
export const selectIsDeletionOpen = (account: AccountSnapshot) =>
  account.matches("awaitingConfirmation") || account.matches("deleting");
export const selectProblem = (account: AccountSnapshot) => account.context.problem;
