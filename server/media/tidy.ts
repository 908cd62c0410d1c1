import { sql } from "kysely";
import { UNDO_MS } from "../../domain/limits.ts";
import type { Deps } from "../core/deps.ts";

const KEPT_DAYS = 1;

/**
 * Deletes files that nothing sends or shows any more: their step was deleted, their bulk message is through.
 * @returns how many
 */
export async function tidyMedia({ db, clock }: Pick<Deps, "db" | "clock">): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from media m where m.created_at < ${clock.iso()}::timestamptz - make_interval(days => ${KEPT_DAYS})
      and not exists (select from followups f where f.media_id = m.id)
      and not exists (select from deleted_followups d where d.media_id = m.id
        and d.deleted_at >= ${clock.iso()}::timestamptz - ${`${UNDO_MS} milliseconds`}::interval)
      and not exists (select from snippets s where s.media_id = m.id)
      and not exists (select from bulk_jobs j where j.media_id = m.id and j.status = 'in_progress')
      and not exists (select from outbox o where o.media_id = m.id and o.state in ('pending', 'sending'))`.execute(db);
  return Number(numAffectedRows ?? 0);
}
