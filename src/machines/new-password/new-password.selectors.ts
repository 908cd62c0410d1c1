import type { NewPasswordSnapshot } from "./new-password.machine.ts";

export const selectIsSaving = (newPassword: NewPasswordSnapshot) => newPassword.hasTag("busy");
export const selectIsSaved = (newPassword: NewPasswordSnapshot) => newPassword.matches("saved");
export const selectProblem = (newPassword: NewPasswordSnapshot) => newPassword.context.problem;
