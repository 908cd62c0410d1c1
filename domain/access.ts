/** The subscription fields that decide access. */
export type AccessFields = {
  status: string | null;
  expires_at: string | null;
  current_period_end: string | null;
  cancel_at_period_end: boolean;
};

/** Statuses that give access. The SQL twin is `public.has_access`. */
export const ACCESS_STATUSES: readonly string[] = ["active", "trialing"];

/** When access ends, as milliseconds, or null for never: expires_at, else the period's end once it will be cancelled. */
export function accessExpiry(subscription: AccessFields): number | null {
  const end = subscription.expires_at ?? (subscription.cancel_at_period_end ? subscription.current_period_end : null);
  return end === null ? null : Date.parse(end);
}

/** Decides access, for the browser, the server's gate and the workers. No record means no access. */
export function isSubscribed(subscription: AccessFields | null, now: number): boolean {
  if (subscription === null || subscription.status === null || !ACCESS_STATUSES.includes(subscription.status))
    return false;
  const expiry = accessExpiry(subscription);
  return expiry === null || expiry > now;
}

/** True when the status gives access but the subscription has expired. */
export function hasExpired(subscription: AccessFields | null, now: number): boolean {
  if (subscription === null) return false;
  const expiry = accessExpiry(subscription);
  return expiry !== null && expiry <= now;
}

/** True while access continues but ends with the billing period. */
export function willEnd(subscription: Pick<AccessFields, "status" | "cancel_at_period_end">): boolean {
  return (
    subscription.status !== null && ACCESS_STATUSES.includes(subscription.status) && subscription.cancel_at_period_end
  );
}
