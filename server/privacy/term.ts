import { storedReason } from "../../domain/stored-reasons.ts";
import { sql } from "kysely";
import { audit } from "../core/audit.ts";
import type { Deps } from "../core/deps.ts";
import type { Tx } from "../db/index.ts";
import { eraseParts, LEAD_TABLES } from "./batches.ts";

type TermDeps = Pick<Deps, "db" | "clock" | "config" | "logger">;

/**
 * Erases data about leads (leads, conversations, the ledger) of owners whose access ended `ERASE_AFTER_DAYS` ago. Their accounts keep
 * stages, follow-ups and settings. If access returns, what is left stays.
 */
export async function eraseForgotten(deps: TermDeps): Promise<void> {
  const { db, clock, config, logger } = deps;
  await noteEnds(deps);
  const due = await db
    .selectFrom("access_ends")
    .select("owner_id")
    .where("erased_at", "is", null)
    .where("at", "<=", new Date(clock.now() - config.eraseAfterDays * 86_400_000).toISOString())
    .orderBy("at")
    .execute();
  for (const { owner_id: userId } of due) {
    try {
      const canContinue = sql`select from access_ends where owner_id = ${userId}::uuid and erased_at is null
        and not public.has_access(owner_id, ${clock.iso()}::timestamptz) for update skip locked`;
      await db.transaction().execute(async (tx) => {
        const { rows } = await canContinue.execute(tx);
        if (rows.length > 0) await endJobs(tx, userId, clock.iso());
      });
      if (!(await eraseParts(db, { userId, parts: LEAD_TABLES, canContinue }))) continue;
      await db.transaction().execute(async (tx) => {
        await tx.updateTable("access_ends").set({ erased_at: clock.iso() }).where("owner_id", "=", userId).execute();
        await audit(tx, { userId, action: "people_erased", at: clock.iso() });
      });
    } catch (error) {
      logger.error({ err: error, user: userId }, "leads could not be erased, trying again tomorrow");
    }
  }
}

/** A job whose targets are erased would never complete, and would block the owner's next job. */
const endJobs = (tx: Tx, userId: string, at: string) =>
  sql`update bulk_jobs set status = 'failed', error = ${storedReason("subscription_ended")},
    failed_count = total_targets - sent_count, finished_at = ${at}::timestamptz, paused_until = null, paused_reason = null
    where owner_id = ${userId}::uuid and status = 'in_progress'`.execute(tx);

/** Records from today on owners whose access has ended, and removes those who have access again. */
async function noteEnds({ db, clock }: TermDeps): Promise<void> {
  const now = clock.iso();
  await sql`delete from access_ends where public.has_access(owner_id, ${now}::timestamptz)`.execute(db);
  await sql`insert into access_ends (owner_id, at)
    select owner_id, ${now}::timestamptz from (
      select owner_id from lead_totals where total > 0 union select user_id from telegram_sessions
    ) o where not public.has_access(owner_id, ${now}::timestamptz)
    on conflict (owner_id) do nothing`.execute(db);
}
