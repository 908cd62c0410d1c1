import { sql } from "kysely";
import type { OverdueFollowups, OverduePlanned } from "../../domain/followup.ts";
import type { Deps } from "../core/deps.ts";
import { fingerprintOf, keyReused } from "../core/request-keys.ts";
import type { Tx } from "../db/index.ts";
import { OVERDUE_LIMIT, overdueSteps, planBatch, planBatchIn, stepsOf } from "./plan.ts";

type OverdueDeps = Pick<Deps, "db" | "bus" | "clock">;

const LISTED = 200;

/** `planState` in SQL for the state `overdue_unconfirmed`: the index may be older than the lead's row. */
const isOverdue = (at: string) => sql`n.unreachable_reason is null and n.opted_out_at is null
  and not (n.is_held or n.has_replied) and n.due_at <= ${at}::timestamptz
  and (n.due_at <= n.imported_at or n.due_at <= s.dry_run_ended_at
    or n.due_at < greatest(s.auto_followups_since, n.followup_created_at) - ${OVERDUE_LIMIT}::interval)`;

type Listed = OverdueFollowups["leads"][number] & { total: number };

/** Returns the overdue steps, the oldest 200, and their total. Nothing while automation is off. */
export async function listOverdue({ db, clock }: OverdueDeps, ownerId: string): Promise<OverdueFollowups> {
  const at = clock.iso();
  const { rows } = await sql<Listed>`
    select n.lead_id, (select name from leads where id = n.lead_id) as name, n.followup_id, n.due_at, count(*) over ()::int as total
    from ${stepsOf(overdueSteps, at)} and s.user_id = ${ownerId}::uuid and ${isOverdue(at)}
    order by n.due_at limit ${LISTED}`.execute(db);
  return {
    total: rows[0]?.total ?? 0,
    leads: rows.map(({ lead_id, name, followup_id, due_at }) => ({ lead_id, name, followup_id, due_at })),
  };
}

type OverdueRequest = { ownerId: string; leadIds: string[] | null; byKey: string | null };

/** Selects overdue steps to plan now, within the allowed hours and the account's sending rate; null `leadIds` for all of them. */
const overdueOf = ({ ownerId, leadIds, byKey }: OverdueRequest) => ({
  steps: overdueSteps,
  where: sql<boolean>`s.user_id = ${ownerId}::uuid ${leadIds === null ? sql`` : sql`and n.lead_id = any(${leadIds}::uuid[])`}`,
  isConfirmed: true,
  byKey,
});

/** The progress under an idempotency key; `under_way` until nothing is left to plan. */
type Progress = OverduePlanned & { under_way?: true };

/**
 * Plans overdue steps, once per idempotency key. A repeat gets the first response; while the first is still planning, a repeat helps and
 * gets the same total.
 * @throws ProblemError 422 when the key was used for another request
 */
export async function confirmOnce(
  deps: OverdueDeps,
  request: OverdueRequest & { key: string | null },
): Promise<OverduePlanned> {
  const { ownerId, key, leadIds } = request;
  const which = overdueOf(request);
  if (key === null) {
    let planned = 0;
    for (let batch = await planBatch(deps, which); batch.planned > 0; batch = await planBatch(deps, which))
      planned += batch.planned;
    return { planned };
  }
  const fingerprint = fingerprintOf("overdue", ...(leadIds?.toSorted() ?? ["all"]));
  const begun: Progress = { planned: 0, under_way: true };
  await deps.db
    .insertInto("request_keys")
    .values({ owner_id: ownerId, key, fingerprint, answer: JSON.stringify(begun), at: deps.clock.iso() })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  for (;;) {
    const progress = await deps.db
      .transaction()
      .execute((tx) => confirmBatch(tx, deps, { ...request, key, fingerprint }));
    if (!progress.under_way) return { planned: progress.planned };
  }
}

/** Plans one batch; the key's row admits one caller at a time. */
async function confirmBatch(
  tx: Tx,
  deps: OverdueDeps,
  request: OverdueRequest & { key: string; fingerprint: string },
): Promise<Progress> {
  const row = await tx
    .selectFrom("request_keys")
    .select(["fingerprint", "answer"])
    .where("owner_id", "=", request.ownerId)
    .where("key", "=", request.key)
    .forUpdate()
    .executeTakeFirstOrThrow();
  if (row.fingerprint !== request.fingerprint) throw keyReused();
  const before = row.answer as Progress;
  if (!before.under_way) return before;
  const { planned: count } = await planBatchIn(tx, deps, overdueOf(request));
  const progress: Progress =
    count === 0 ? { planned: before.planned } : { planned: before.planned + count, under_way: true };
  await tx
    .updateTable("request_keys")
    .set({ answer: JSON.stringify(progress) })
    .where("owner_id", "=", request.ownerId)
    .where("key", "=", request.key)
    .execute();
  return progress;
}
