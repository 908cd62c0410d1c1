import { fromPromise } from "xstate";
import { notProvided } from "../kit/not-provided.ts";
import { type Notifier, alerting } from "../kit/speaking.ts";

export type Credentials = { email: string; password: string };

/** A refusal carries the server's own words. */
export type LoginOutcome = { kind: "signedIn" } | { kind: "refused"; message: string };

export type LoginDeps = {
  auth: { signIn: (credentials: Credentials) => Promise<LoginOutcome> };
  notifier: Pick<Notifier, "alert">;
};

export const placeholderActors = {
  signIn: notProvided<LoginOutcome, Credentials>("signIn"),
  showAlert: notProvided<void, { message: string }>("showAlert"),
};

export const createLoginActors = ({ auth, notifier }: LoginDeps) => ({
  signIn: fromPromise<LoginOutcome, Credentials>(({ input }) => auth.signIn(input)),
  showAlert: alerting(notifier),
});
