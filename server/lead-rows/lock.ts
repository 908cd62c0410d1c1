import type { Tx } from "../db/index.ts";
import { notFound } from "../core/problem.ts";

/**
 * Locks a lead of the owner's against whatever else would change or remove it, until the transaction ends.
 * @throws ProblemError 404, as if it did not exist, for another's too
 */
export async function lockLead(
  tx: Tx,
  { ownerId, leadId }: { ownerId: string; leadId: string },
): Promise<{ notes: string | null; draft: string | null }> {
  const lead = await tx
    .selectFrom("leads")
    .select(["notes", "draft"])
    .where("id", "=", leadId)
    .where("owner_id", "=", ownerId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (lead === undefined) throw notFound();
  return lead;
}
