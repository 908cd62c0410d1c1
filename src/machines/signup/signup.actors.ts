import { fromPromise } from "xstate";
import { notProvided } from "../kit/not-provided.ts";
import { type Notifier, alerting } from "../kit/speaking.ts";

export type Account = { name: string; email: string; password: string };
export type Profile = { id: string; email: string; name: string };

/** `userId` is null when the server answered without a user. A refusal carries the server's own words. */
export type SignUpOutcome = { kind: "signedUp"; userId: string | null } | { kind: "refused"; message: string };

export type SignupDeps = {
  auth: { signUp: (account: Account) => Promise<SignUpOutcome> };
  data: { insertProfile: (profile: Profile) => Promise<void> };
  notifier: Pick<Notifier, "alert">;
  logger: { warn: (what: string, error: unknown) => void };
  /** Takes the person to the login screen. */
  openLogin: () => void;
};

export const placeholderActors = {
  signUp: notProvided<SignUpOutcome, Account>("signUp"),
  insertProfile: notProvided<void, Profile>("insertProfile"),
  showAlert: notProvided<void, { message: string }>("showAlert"),
};

export const createSignupActors = ({ auth, data, notifier }: SignupDeps) => ({
  signUp: fromPromise<SignUpOutcome, Account>(({ input }) => auth.signUp(input)),
  insertProfile: fromPromise<void, Profile>(({ input }) => data.insertProfile(input)),
  showAlert: alerting(notifier),
});
