import { fromPromise } from "xstate";
import { notProvided } from "../kit/not-provided.ts";

export type PasswordOutcome = { kind: "done" } | { kind: "refused"; message: string };

export type NewPasswordDeps = {
  auth: { updatePassword: (input: { password: string }) => Promise<PasswordOutcome> };
};

export const placeholderActors = { savePassword: notProvided<PasswordOutcome, { password: string }>("savePassword") };

export const createNewPasswordActors = ({ auth }: NewPasswordDeps) => ({
  savePassword: fromPromise<PasswordOutcome, { password: string }>(({ input }) => auth.updatePassword(input)),
});
