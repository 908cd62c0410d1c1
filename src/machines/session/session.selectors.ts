import type { SessionSnapshot } from "./session.machine.ts";

export type Access = "checking" | "unchecked" | "signedOut" | "unsubscribed" | "subscribed";

/** What the routes are decided by; `unchecked` when the subscription could not be read. Someone who is signing out counts as out at once. */
export function selectAccess(session: SessionSnapshot): Access {
  if (session.hasTag("checking")) return session.hasTag("unread") ? "unchecked" : "checking";
  if (session.matches({ signedIn: { access: "subscribed" } })) return "subscribed";
  return session.matches("signedIn") ? "unsubscribed" : "signedOut";
}

export const selectUser = (session: SessionSnapshot) => session.context.user;
export const selectEmail = (session: SessionSnapshot) => session.context.user?.email ?? null;
export const selectSubscription = (session: SessionSnapshot) => session.context.subscription;
export const selectJudgedAt = (session: SessionSnapshot) => session.context.judgedAt;
export const selectIsRecovering = (session: SessionSnapshot) => session.context.isRecovering;
export const selectIsFetching = (session: SessionSnapshot) => session.hasTag("loading") || session.hasTag("refreshing");
