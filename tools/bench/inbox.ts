import type { Pool } from "../../server/db/index.ts";
import { round, timed } from "./measure.ts";

const MESSAGES_EACH = 10;
/** The length of the longest conversation. */
const LONG = 10_000;

/**
 * Writes a million messages for an owner of 100,000 leads: every tenth conversation waits for a reply, every twentieth has unread messages.
 */
export async function writeConversations(pool: Pool, ownerId: string): Promise<{ longLeadId: string }> {
  await pool.query(
    `insert into messages (owner_id, account_user_id, peer_user_id, message_id, is_outgoing, text, sent_at, source, state)
    select l.owner_id, 1, l.telegram_user_id, (l.telegram_user_id * ${MESSAGES_EACH} + n)::int, n % 2 = 0, case when n = 3 and l.telegram_user_id % 10000 = 7 then 'An orchid, please' when n = 4 and l.telegram_user_id % 20 = 3 then 'A tulip for me'
        else 'Message ' || n || ' about the price of a thing' end,
      l.created_at + n * interval '11 minutes', case when n % 2 = 0 then 'telegram' else 'them' end, case when n % 2 = 0 then 'sent' else 'received' end
    from leads l, generate_series(0, ${MESSAGES_EACH - 1}) n where l.owner_id = $1`,
    [ownerId],
  );
  const { rows } = await pool.query<{ id: string; telegram_user_id: string }>(
    "select id, telegram_user_id from leads where owner_id = $1 order by created_at limit 1",
    [ownerId],
  );
  await pool.query(
    `insert into messages (owner_id, account_user_id, peer_user_id, message_id, is_outgoing, text, sent_at)
    select $1, 2, $2, n, false, 'Message ' || n, timestamptz '2026-01-01' + n * interval '1 minute' from generate_series(1, ${LONG}) n`,
    [ownerId, rows[0]?.telegram_user_id],
  );
  await pool.query(
    `update leads set last_message_at = created_at + interval '99 minutes', last_inbound_at = created_at + interval '99 minutes',
      waiting_since = case when telegram_user_id % 10 = 0 then created_at + interval '99 minutes' end,
      unread = case when telegram_user_id % 20 = 0 then 1 else 0 end where owner_id = $1`,
    [ownerId],
  );
  await pool.query("vacuum analyze messages");
  await pool.query("vacuum analyze leads");
  return { longLeadId: rows[0]?.id ?? "" };
}

/** @param get requests an address of the product and reads the whole response */
export async function benchInbox(
  get: (address: string) => Promise<{ next?: string | null }>,
  longLeadId: string,
): Promise<Record<string, number>> {
  const p50 = async (address: string) => {
    await get(address);
    return round(await timed(30, () => get(address)));
  };
  const { next } = await get("/api/inbox?view=all");
  const older = await get(`/api/leads/${longLeadId}/messages`);
  return {
    "inbox, all (budget 15)": await p50("/api/inbox?view=all"),
    "inbox, second page (budget 15)": await p50(`/api/inbox?view=all&before=${next}`),
    "inbox, waiting (budget 15)": await p50("/api/inbox?view=waiting"),
    "inbox, unread (budget 15)": await p50("/api/inbox?view=unread"),
    "inbox, rare name (budget 15)": await p50("/api/inbox?view=all&q=zephyrine"),
    "search, common word (budget 30)": await p50("/api/inbox?view=all&q=price"),
    "search, two common words (budget 30)": await p50("/api/inbox?view=all&q=price%20thing"),
    "search, a common and a less common word": await p50("/api/inbox?view=all&q=tulip%20price"),
    "search, less common word (budget 30)": await p50("/api/inbox?view=all&q=tulip"),
    "search, rare word (budget 30)": await p50("/api/inbox?view=all&q=orchid"),
    "counts (budget 15)": await p50("/api/inbox/counts"),
    "a conversation of 10,000": await p50(`/api/leads/${longLeadId}/messages`),
    "its older page (budget 100)": await p50(`/api/leads/${longLeadId}/messages?before=${older.next}`),
  };
}
