import { isSubscribed, type AccessFields } from "../../domain/access.ts";
import { audit } from "../core/audit.ts";
import type { Deps } from "../core/deps.ts";

/** How long a row is believed without asking again, in case a notification was lost. Real time, whatever the clock says. */
const BELIEVED_MS = 1_000;
const MOST_REMEMBERED = 10_000;
/** How often a refusal is noted in the audit log. */
const NOTED_EVERY_MS = 3_600_000;

type Remembered = { row: Promise<AccessFields | null>; readAt: number };

export type SubscriptionGate = {
  /** True while this user may use the product, by domain/access.ts at this very moment. */
  hasSubscription: (userId: string) => Promise<boolean>;
  /** The fields that decide about access; null for no record. */
  subscriptionOf: (userId: string) => Promise<AccessFields | null>;
};

/**
 * The server's gate. Rows are remembered for a moment and forgotten when they change; the expiry is judged at each
 * call, so access ends when it ends.
 */
export function createSubscriptionGate({ db, bus, clock }: Pick<Deps, "db" | "bus" | "clock">): SubscriptionGate {
  const remembered = new Map<string, Remembered>();
  bus.on("subscription.changed", ({ user_id: userId }) => remembered.delete(userId));
  bus.onGap(() => remembered.clear());
  const read = (userId: string): Promise<AccessFields | null> =>
    db
      .selectFrom("subscriptions")
      .select(["status", "expires_at", "current_period_end", "cancel_at_period_end"])
      .where("user_id", "=", userId)
      .executeTakeFirst()
      .then((row) => row ?? null);
  const subscriptionOf = (userId: string): Promise<AccessFields | null> => {
    const known = remembered.get(userId);
    const time = clock.monotonic();
    if (known !== undefined && time - known.readAt < BELIEVED_MS) return known.row;
    if (remembered.size >= MOST_REMEMBERED) remembered.clear();
    const row = read(userId);
    remembered.set(userId, { row, readAt: time });
    // A failed reading is nobody's answer but its own.
    row.catch(() => remembered.delete(userId));
    return row;
  };
  return {
    subscriptionOf,
    hasSubscription: async (userId) => isSubscribed(await subscriptionOf(userId), clock.now()),
  };
}

/** Notes in the audit log that the gate refused a user, at most once an hour per user. */
export function createRefusalLog({
  db,
  clock,
  logger,
  work,
}: Pick<Deps, "db" | "clock" | "logger" | "work">): (userId: string) => void {
  const noted = new Map<string, number>();
  return (userId) => {
    const now = clock.now();
    if (now - (noted.get(userId) ?? Number.NEGATIVE_INFINITY) < NOTED_EVERY_MS) return;
    if (noted.size >= MOST_REMEMBERED) noted.clear();
    noted.set(userId, now);
    work
      .track("audit", audit(db, { userId, action: "access_refused", at: clock.iso() }))
      .catch((error: unknown) => logger.warn({ err: error }, "a refusal was not written to the audit log"));
  };
}
