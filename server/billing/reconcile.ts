import type { Running } from "../core/deps.ts";
import type { Billing } from "./context.ts";
import { fulfil } from "./fulfil.ts";
import { ForeignAccountError } from "./own-account.ts";

const AT_NIGHT = "17 3 * * *";
const BATCH = 200;
/** Stays below the provider's rate limit and is fast enough for a night. */
const AT_ONCE = 5;
/** Well beyond the three days in which the provider retries an event. */
const EVENT_RETENTION_MS = 30 * 86_400_000;

/**
 * Repairs what webhooks missed: reads every customer again and deletes old event ids.
 * @throws ForeignAccountError at the first sign that the key belongs to another account; the rest is not read
 */
export async function reconcile(billing: Billing): Promise<{ customers: number; failed: number }> {
  const { db, clock, logger } = billing.deps;
  let after = "00000000-0000-0000-0000-000000000000";
  let customers = 0;
  let failed = 0;
  for (;;) {
    const batch = await db
      .selectFrom("billing_customers")
      .select("user_id")
      .where("customer_id", "is not", null)
      .where("user_id", ">", after)
      .orderBy("user_id")
      .limit(BATCH)
      .execute();
    const waiting = batch.map(({ user_id: userId }) => userId);
    const reader = async (): Promise<void> => {
      for (let userId = waiting.pop(); userId !== undefined; userId = waiting.pop()) {
        const user = userId;
        await fulfil(billing, user, "reconcile").catch((error: unknown) => {
          if (error instanceof ForeignAccountError) {
            waiting.length = 0;
            throw error;
          }
          failed += 1;
          logger.error({ err: error, user }, "reading a subscription from the card provider failed");
        });
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, reader));
    customers += batch.length;
    after = batch.at(-1)?.user_id ?? after;
    if (batch.length < BATCH) break;
  }
  const oldest = new Date(clock.now() - EVENT_RETENTION_MS).toISOString();
  await db.deleteFrom("billing_events").where("received_at", "<", oldest).execute();
  return { customers, failed };
}

/** Reconciles every night, on one worker. */
export async function startBilling(billing: Billing): Promise<Running> {
  billing.deps.jobs.schedule("billing-reconcile", AT_NIGHT, async () => {
    billing.deps.logger.info(await reconcile(billing), "subscriptions reconciled");
  });
  return { stop: async () => {} };
}
