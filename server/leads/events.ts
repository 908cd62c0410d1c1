import type { Doer, StoryType } from "../../domain/story.ts";
import type { DbOrTx } from "../db/index.ts";

/** Something of a lead's story that no other table tells. Without a name, a person is the account's owner. */
export type LeadEvent = {
  ownerId: string;
  leadId: string;
  type: StoryType;
  by: Doer["kind"];
  byName?: string;
  /** further fields of the story's item: ids and plain values, never a message's text */
  detail?: Record<string, unknown>;
  at: string;
};

/** Who did what a route was called for: the account's owner, or a key of theirs. */
export const byWhom = (byKey: string | null): Pick<LeadEvent, "by" | "byName"> =>
  byKey === null ? { by: "person" } : { by: "key", byName: byKey };

/** Writes an event into a lead's story, in the transaction of what it tells. */
export async function noteLeadEvent(tx: DbOrTx, event: LeadEvent): Promise<void> {
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
