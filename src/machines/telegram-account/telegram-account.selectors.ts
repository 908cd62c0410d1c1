import type { TelegramAccountSnapshot } from "./telegram-account.machine.ts";

export const selectAccount = (health: TelegramAccountSnapshot) => health.context.account;
export const selectProblem = (health: TelegramAccountSnapshot) => health.context.problem;
export const selectIsSavingCap = (health: TelegramAccountSnapshot) => health.matches({ work: "savingCap" });
export const selectIsResuming = (health: TelegramAccountSnapshot) => health.matches({ work: "resuming" });
