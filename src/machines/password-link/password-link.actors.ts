import { fromPromise } from "xstate";
import { notProvided } from "../kit/not-provided.ts";

export type LinkOutcome = { kind: "done" } | { kind: "refused"; message: string };

export type PasswordLinkDeps = {
  auth: { requestPasswordReset: (input: { email: string }) => Promise<LinkOutcome> };
};

export const placeholderActors = { requestLink: notProvided<LinkOutcome, { email: string }>("requestLink") };

export const createPasswordLinkActors = ({ auth }: PasswordLinkDeps) => ({
  requestLink: fromPromise<LinkOutcome, { email: string }>(({ input }) => auth.requestPasswordReset(input)),
});
