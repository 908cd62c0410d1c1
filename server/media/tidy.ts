import { sql } from "kysely";
import { UNDO_MS } from "../../domain/limits.ts";
import type { Deps } from "../core/deps.ts";

const RETENTION_DAYS = 1;
/** A file has up to 10 MB, so a batch takes seconds. */
const FILES_PER_BATCH = 50;

/** Deletes unused files in batches (their step was deleted, or their bulk job is finished). */
export async function tidyMedia({ db, engine, clock }: Pick<Deps, "db" | "engine" | "clock">): Promise<void> {
  const at = sql`${clock.iso()}::timestamptz`;
  const oldest = sql`${at} - make_interval(days => ${RETENTION_DAYS})`;
  const next = (after: Seen | null) => sql<Seen>`
    with looked_at as (
      select id, created_at from media m where created_at < ${oldest}
        ${after === null ? sql`` : sql`and (created_at, id) > (${after.created_at}::timestamptz, ${after.id}::uuid)`}
      order by created_at, id limit ${FILES_PER_BATCH}
    ), gone as (
      -- Checks the age again: a concurrent upload of the same file may have renewed it while this statement waited.
      delete from media m using looked_at l where m.id = l.id and m.created_at < ${oldest}
        and not exists (select from followups f where f.media_id = m.id)
        and not exists (select from deleted_followups d where d.media_id = m.id
          and d.deleted_at >= ${at} - ${`${UNDO_MS} milliseconds`}::interval)
        and not exists (select from snippets s where s.media_id = m.id)
        and not exists (select from bulk_jobs j where j.media_id = m.id and j.status = 'in_progress')
        and not exists (select from outbox o where o.media_id = m.id and o.state in ('pending', 'sending'))
      returning m.id
    )
    select id, created_at, (select count(*) from gone)::int as deleted from looked_at order by created_at, id`;
  let deleted = 0;
  for (let after: Seen | null = null; ;) {
    const { rows }: { rows: Seen[] } = await next(after).execute(db);
    deleted += rows[0]?.deleted ?? 0;
    if (rows.length < FILES_PER_BATCH) break;
    after = rows.at(-1) ?? null;
  }
  // The embedded database does not vacuum automatically.
  if (engine.kind === "pglite" && deleted > 0) await engine.pool.query("vacuum public.media_blobs");
}

type Seen = { id: string; created_at: string; deleted: number };
