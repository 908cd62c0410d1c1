import { hasExpired, willEnd } from "../../../domain/access.ts";
import type { Subscription } from "../../../domain/subscription.ts";
import type { BillingSnapshot } from "./billing.machine.ts";

export const selectIsSyncing = (billing: BillingSnapshot) => billing.matches({ subscription: "syncing" });
export const selectIsOpening = (billing: BillingSnapshot) => !billing.matches({ provider: "closed" });
export const selectProblem = (billing: BillingSnapshot) => billing.context.problem;

export type Standing =
  | { kind: "active"; renewsAt: string | null }
  | { kind: "ending"; endsAt: string | null }
  | { kind: "ended"; endedAt: string | null }
  | { kind: "none" };

/** What the billing screen says of a subscription. `isSubscribed` is the session's judgement at `judgedAt`. */
export function standingOf(subscription: Subscription | null, isSubscribed: boolean, judgedAt: number): Standing {
  if (isSubscribed && subscription !== null)
    return willEnd(subscription)
      ? { kind: "ending", endsAt: endOf(subscription) }
      : { kind: "active", renewsAt: subscription.next_billing_at ?? subscription.current_period_end };
  return subscription !== null && hasExpired(subscription, judgedAt)
    ? { kind: "ended", endedAt: endOf(subscription) }
    : { kind: "none" };
}

const endOf = (subscription: Subscription) =>
  subscription.expires_at ?? subscription.cancel_at ?? subscription.current_period_end;
