import { publishEvents } from "../core/bus.ts";
import type { Deps } from "../core/deps.ts";
import type { Tx } from "../db/index.ts";
import type { OutboxKind } from "../db/tables/outbox.ts";

/** Publishes that a reply changed. A trigger updates the message together with its row. */
export async function publishReply(
  tx: Tx,
  { bus }: Pick<Deps, "bus">,
  row: { id: string; ownerId: string; kind: OutboxKind; leadId: string | null },
): Promise<void> {
  if (row.kind !== "reply") return;
  const message = await tx.selectFrom("messages").select("id").where("outbox_id", "=", row.id).executeTakeFirst();
  if (message === undefined) return;
  const data = { lead_id: row.leadId, id: message.id };
  await publishEvents(bus, row.ownerId, [{ type: "message.changed", data }, { type: "inbox.changed" }], tx);
}
