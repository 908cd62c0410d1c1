import { sql } from "kysely";
import { publishEvents } from "../core/bus.ts";
import { DONE, doneUpTo } from "../lead-rows/conversation-state.ts";
import type { Deps } from "../core/deps.ts";
import { notFound } from "../core/problem.ts";
import { placeOf } from "./messages.ts";

/**
 * Takes a conversation out of `waiting` until its person writes again, or puts it back as it was. One that was answered since stays out.
 * @returns since when the person waits
 * @throws ProblemError 404 for the lead, 422 for a message that is not of this conversation
 */
export function markDone(
  { db, bus }: Pick<Deps, "db" | "bus">,
  { ownerId, leadId, isDone, upTo }: { ownerId: string; leadId: string; isDone: boolean; upTo?: string | undefined },
): Promise<{ waiting_since: string | null }> {
  return db.transaction().execute(async (tx) => {
    const back = sql`waiting_since = case when l.done_at is not null then least(l.waiting_since, l.waited_since) else l.waiting_since end,
      done_at = null`;
    const done = upTo === undefined ? DONE : doneUpTo(await placeOf(tx, { ownerId, leadId }, upTo));
    const { rows } = await sql<{ waiting_since: string | null }>`
      update leads l set ${isDone ? done : back} where l.id = ${leadId}::uuid and l.owner_id = ${ownerId}::uuid
      returning l.waiting_since`.execute(tx);
    const [lead] = rows;
    if (lead === undefined) throw notFound();
    await publishEvents(bus, ownerId, [{ type: "lead.changed", data: { id: leadId } }, { type: "inbox.changed" }], tx);
    return lead;
  });
}
