import { isSubscribed, type AccessFields } from "../../domain/access.ts";
import { audit } from "../core/audit.ts";
import type { Deps } from "../core/deps.ts";

/** How long a row is cached, in case a notification is lost. Steady time, whatever the product's clock says. */
const BELIEVED_MS = 1_000;
const MOST_REMEMBERED = 10_000;
/** A refusal is written to the audit log at most this often per user. */
const NOTED_EVERY_MS = 3_600_000;

type Remembered = { row: Promise<AccessFields | null>; readAt: number };

export type SubscriptionGate = {
  /** Whether this user may use the product now, by domain/access.ts. */
  hasSubscription: (userId: string) => Promise<boolean>;
  /** The fields that decide access; null without a record. */
  subscriptionOf: (userId: string) => Promise<AccessFields | null>;
};

/**
 * Creates the server's gate. Rows are cached briefly and dropped when they change. The expiry is checked at each call, so access ends on
 * time.
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
    // A failed read is not cached.
    row.catch(() => remembered.delete(userId));
    return row;
  };
  return {
    subscriptionOf,
    hasSubscription: async (userId) => isSubscribed(await subscriptionOf(userId), clock.now()),
  };
}

/** Creates a function that writes the gate's refusals to the audit log, at most once an hour per user. */
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
      .catch((error: unknown) => logger.warn({ err: error }, "writing a refusal to the audit log failed"));
  };
}
