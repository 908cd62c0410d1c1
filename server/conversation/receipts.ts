import { sql } from "kysely";
import { classifySendError, type SendOutcome } from "../../domain/send-outcome.ts";
import type { Deps, Running } from "../core/deps.ts";
import type { DbOrTx } from "../db/index.ts";
import { onTopic, runWorker } from "../core/worker.ts";
import type { SenderAccount } from "../outbox/port.ts";

const AT_ONCE = 20;
/** A lost notification delays a receipt by at most this long. */
const IDLE_MS = 600_000;
const RETRY_MS = 5_000;
const MOST_FAILURES = 12;
const RETRIED = new Set<SendOutcome["kind"]>(["unknown", "unsent", "inFlight", "sessionLost"]);

/** Orders a read receipt for a lead, if the user sends them. */
export async function orderReceipt(
  tx: DbOrTx,
  deps: Pick<Deps, "bus">,
  { ownerId, leadId, upTo }: { ownerId: string; leadId: string; upTo: string },
): Promise<void> {
  const { numAffectedRows } = await sql`
    update leads l set receipt_message_id = w.message_id from (
      select m.owner_id, m.message_id from messages r join telegram_sessions t on t.user_id = r.owner_id and t.state = 'connected'
      join messages m on m.owner_id = r.owner_id and m.peer_user_id = r.peer_user_id and m.account_user_id = t.telegram_user_id
        and not m.is_outgoing and m.sent_at <= r.sent_at and m.message_id is not null
      where r.id = ${upTo}::bigint and r.owner_id = ${ownerId}::uuid and (m.sent_at < r.sent_at or m.message_id <= coalesce(r.message_id, 2147483647))
      order by m.sent_at desc, m.message_id desc limit 1
    ) w, user_settings s
    where l.id = ${leadId}::uuid and l.owner_id = w.owner_id and s.user_id = l.owner_id and s.read_receipts`.execute(
    tx,
  );
  if (Number(numAffectedRows ?? 0) > 0) await deps.bus.publish("receipt.ready", { owner_id: ownerId }, tx);
}

/**
 * Sends read receipts for an account that this process holds, one by one. A wait that Telegram asks for here delays nothing else. Receipts
 * that Telegram refuses for good are dropped. Open ones are sent after a restart.
 */
export function startReadReceipts(deps: Deps, account: SenderAccount): Running {
  const { db } = deps;
  const logger = deps.logger.child({ account: account.accountId, part: "receipts" });
  let failures = 0;

  const open = () =>
    db
      .selectFrom("leads as l")
      .leftJoin("messages as m", (join) =>
        join
          .onRef("m.owner_id", "=", "l.owner_id")
          .on("m.account_user_id", "=", account.telegramUserId)
          .onRef("m.message_id", "=", "l.receipt_message_id")
          // The owner's other accounts may have used the same number for a message of another person.
          .onRef("m.peer_user_id", "=", "l.telegram_user_id"),
      )
      .select(["l.id", "l.telegram_user_id", "l.receipt_message_id", "m.id as message"])
      .where("l.owner_id", "=", account.userId)
      .where("l.receipt_message_id", "is not", null)
      .limit(AT_ONCE)
      .execute();
  const isOpen = async ({ id, receipt_message_id: messageId }: { id: string; receipt_message_id: number | null }) =>
    (await db
      .selectFrom("leads")
      .select("id")
      .where("id", "=", id)
      .where("owner_id", "=", account.userId)
      .where("receipt_message_id", "=", messageId)
      .executeTakeFirst()) !== undefined;
  /** Does not close a receipt that has moved on to a later message. */
  const close = (id: string, messageId: number) =>
    db
      .updateTable("leads")
      .set({ receipt_message_id: null })
      .where("id", "=", id)
      .where("owner_id", "=", account.userId)
      .where("receipt_message_id", "=", messageId)
      .execute();

  /** Sends a receipt. Returns Telegram's wait or a growing back-off; null once it is sent or dropped. */
  const sendReceipt = async (lead: Awaited<ReturnType<typeof open>>[number]): Promise<number | null> => {
    const messageId = lead.receipt_message_id ?? 0;
    try {
      // A message that another account received cannot be marked.
      if (lead.message !== null) await account.port.markRead({ telegramUserId: lead.telegram_user_id }, messageId);
      failures = 0;
    } catch (error) {
      const outcome = classifySendError(error);
      logger.info({ reason: outcome.reason }, "marking a chat as read failed");
      if (outcome.kind === "wait" || outcome.kind === "chatWait") return outcome.seconds * 1000;
      failures += 1;
      if (RETRIED.has(outcome.kind) && failures < MOST_FAILURES) return RETRY_MS * 2 ** Math.min(failures, 7);
      failures = 0;
    }
    await close(lead.id, messageId);
    return null;
  };
  return runWorker(deps, {
    name: "receipts",
    wakeOn: onTopic(deps, "receipt.ready", account.userId),
    idleMs: IDLE_MS,
    signal: account.signal,
    onFailure: (error) => logger.warn({ err: error }, "sending read receipts failed"),
    async work({ isOver, rest }) {
      for (let leads = await open(); leads.length > 0 && !isOver(); leads = await open()) {
        let hasRested = false;
        for (const lead of leads) {
          // During the wait, receipts may have been switched off, or the chat read further.
          if (isOver() || (hasRested && !(await isOpen(lead)))) continue;
          const restMs = await sendReceipt(lead);
          hasRested ||= restMs !== null;
          if (restMs !== null) await rest(restMs);
        }
      }
      return null;
    },
  });
}
