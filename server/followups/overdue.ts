import { sql } from "kysely";
import type { OverdueFollowups, OverduePlanned } from "../../domain/followup.ts";
import type { Deps } from "../core/deps.ts";
import { answeredBefore, fingerprintOf, onceByKey } from "../core/request-keys.ts";
import { overdueSteps, planBatch } from "./plan.ts";

type OverdueDeps = Pick<Deps, "db" | "bus" | "clock">;

const LISTED = 200;

type Listed = { lead_id: string; name: string | null; followup_id: string; due_at: string; total: string };

/** The most overdue first, 200 at most, with their total. Nothing while automation is off. */
export async function listOverdue(deps: OverdueDeps, ownerId: string): Promise<OverdueFollowups> {
  const at = deps.clock.iso();
  const { rows } = await sql<Listed>`
    select n.lead_id, l.name, n.followup_id, n.due_at, count(*) over () as total
    from ${overdueSteps.from(at)} join leads l on l.id = n.lead_id
    where s.user_id = ${ownerId}::uuid and ${overdueSteps.where(at)}
    order by n.due_at limit ${LISTED}`.execute(deps.db);
  return {
    total: Number(rows[0]?.total ?? 0),
    leads: rows.map(({ lead_id, name, followup_id, due_at }) => ({ lead_id, name, followup_id, due_at })),
  };
}

/**
 * Plans overdue steps after all, within the allowed hours and the account's rhythm.
 * @param leadIds null for every lead of the list
 * @returns how many were planned
 */
async function confirmOverdue(deps: OverdueDeps, ownerId: string, leadIds: string[] | null): Promise<number> {
  let planned = 0;
  for (;;) {
    const count = await planBatch(deps, {
      from: overdueSteps.from,
      where: (at) => sql`s.user_id = ${ownerId}::uuid and ${overdueSteps.where(at)}
        ${leadIds === null ? sql`` : sql`and n.lead_id = any(${leadIds}::uuid[])`}`,
      isConfirmed: true,
    });
    planned += count;
    if (count === 0) return planned;
  }
}

/** The same, once for each key that the caller gives: a repeat gets the first answer. @throws ProblemError 422 for a key of another request */
export async function confirmOnce(
  deps: OverdueDeps,
  order: { ownerId: string; key: string | null; leadIds: string[] | null },
): Promise<OverduePlanned> {
  const { ownerId, key, leadIds } = order;
  const asked = { ownerId, key, fingerprint: fingerprintOf("overdue", ...(leadIds?.toSorted() ?? ["all"])) };
  const before = await answeredBefore<OverduePlanned>(deps.db, asked);
  if (before !== null) return before;
  const answer = { planned: await confirmOverdue(deps, ownerId, leadIds) };
  // A step is planned once whatever happens: only the answer has to be the first one's.
  return deps.db
    .transaction()
    .execute((tx) => onceByKey(tx, { ...asked, at: deps.clock.iso() }, () => Promise.resolve(answer)));
}
