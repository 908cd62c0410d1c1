import type { Actor, StoryType } from "../../domain/story.ts";
import type { DbOrTx } from "../db/index.ts";

/** An event of a lead's history that no other table stores. Without a name, the account's owner did it. */
export type LeadEvent = {
  ownerId: string;
  leadId: string;
  type: StoryType;
  by: Actor["kind"];
  byName?: string;
  /** further fields of the history item: ids and plain values, never a message's text */
  detail?: Record<string, unknown>;
  at: string;
};

/** Returns who called a route: the account's owner, or one of the owner's API keys. */
export const actorOf = (byKey: string | null): Pick<LeadEvent, "by" | "byName"> =>
  byKey === null ? { by: "person" } : { by: "key", byName: byKey };

/** Writes an event to a lead's history. Call it in the transaction of the change. */
export async function recordLeadEvent(tx: DbOrTx, event: LeadEvent): Promise<void> {
  await tx
    .insertInto("lead_events")
    .values({
      owner_id: event.ownerId,
      lead_id: event.leadId,
      type: event.type,
      by_kind: event.by,
      by_name: event.byName ?? null,
      detail: JSON.stringify(event.detail ?? {}),
      at: event.at,
    })
    .execute();
}
