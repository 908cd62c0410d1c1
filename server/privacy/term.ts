import { sql } from "kysely";
import { audit } from "../core/audit.ts";
import type { Deps } from "../core/deps.ts";
import { eraseParts, OF_PEOPLE } from "./batches.ts";

type TermDeps = Pick<Deps, "db" | "clock" | "config" | "logger">;

/**
 * Erases what is stored of people (leads, conversations, the ledger) for owners whose access ended `ERASE_AFTER_DAYS` ago. Their own account
 * stays with its stages, follow-ups and settings. Whose access returns keeps what is left.
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
      const mayGoOn = sql`select from access_ends where owner_id = ${userId}::uuid and erased_at is null
        and not public.has_access(owner_id, ${clock.iso()}::timestamptz) for update skip locked`;
      if (!(await eraseParts(db, { userId, parts: OF_PEOPLE, mayGoOn, until: Infinity }))) continue;
      await db.transaction().execute(async (tx) => {
        await tx.updateTable("access_ends").set({ erased_at: clock.iso() }).where("owner_id", "=", userId).execute();
        await audit(tx, { userId, action: "people_erased", at: clock.iso() });
      });
    } catch (error) {
      logger.error({ err: error, user: userId }, "people could not be erased, trying again tomorrow");
    }
  }
}

/** Notes whose access has ended, from today on, and forgets it of those who have it again. */
async function noteEnds({ db, clock }: TermDeps): Promise<void> {
  const now = clock.iso();
  await sql`delete from access_ends where public.has_access(owner_id, ${now}::timestamptz)`.execute(db);
  await sql`insert into access_ends (owner_id, at)
    select owner_id, ${now}::timestamptz from (
      select owner_id from lead_totals where total > 0 union select user_id from telegram_sessions
    ) o where not public.has_access(owner_id, ${now}::timestamptz)
    on conflict (owner_id) do nothing`.execute(db);
}
