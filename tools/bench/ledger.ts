import type { Pool } from "../../server/db/index.ts";
import { hammer, round, timed } from "./measure.ts";

const FOLDED = 1_000_000;
const AT_ONCE = 100_000;
const SETTLED = 20_000;
const WRITTEN = 100_000;

/** Writes a million folded messages and twenty thousand recent ones of an owner with 100,000 leads; one in a thousand was refused. */
export async function writeLedger(pool: Pool, ownerId: string): Promise<void> {
  const { rows } = await pool.query<{ id: string }>(
    `insert into followups (owner_id, stage_id, message, followup_order)
    select owner_id, id, 'Hello again', 0 from stages where owner_id = $1 order by "order" limit 1 returning id`,
    [ownerId],
  );
  const step = rows[0]?.id ?? null;
  const lines = (from: number, to: number) => `
    select n as id, l.owner_id, case when n % 5000 = 0 then 'reply' when n % 10 = 0 then 'followup' else 'bulk' end as kind,
      case when n % 1000 = 0 then 'failed' else 'sent' end as state, l.id as lead_id, case when n % 10 = 0 then $2::uuid end as followup_id,
      timestamptz '2025-01-01' + n * interval '50 seconds' as at, n
    from generate_series(${from}, ${to}) n join leads l on l.owner_id = $1 and l.telegram_user_id = 1 + n % 100000`;
  for (let from = 1; from <= FOLDED; from += AT_ONCE)
    await pool.query(
      `insert into ledger (id, owner_id, kind, state, lead_id, followup_id, epoch, excerpt, random_id, message_id, attempts, planned_at, tried_at, settled_at)
    select id, owner_id, kind, state, lead_id, followup_id, n, 'Hello again, this is a message that begins like many others', n, n, 1, at, at, at
    from (${lines(from, from + AT_ONCE - 1)}) x`,
      [ownerId, step],
    );
  await pool.query(`select setval(pg_get_serial_sequence('public.outbox', 'id'), ${FOLDED}, true)`);
  await pool.query(
    `insert into outbox (owner_id, kind, priority, dedupe_key, random_id, lead_id, followup_id, epoch, body, state, message_id, attempts, not_before, created_at,
      claimed_at, settled_at)
    select owner_id, kind, 0, 'bench:' || n, n, lead_id, followup_id, n, 'Hello again, this is a message', state, n, 1, at, at, at, at
    from (${lines(FOLDED + 1, FOLDED + SETTLED)}) x order by n`,
    [ownerId, step],
  );
  await pool.query("vacuum analyze ledger");
  await pool.query("vacuum analyze outbox");
}

/** @param get requests an address of the product and reads the whole response */
export async function benchLedger(
  get: (address: string) => Promise<unknown>,
  leadId: string,
): Promise<Record<string, number>> {
  const p50 = async (query: string) => {
    await get(`/api/ledger?${query}`);
    return round(await timed(30, () => get(`/api/ledger?${query}`)));
  };
  return {
    "the first page (budget 15)": await p50(""),
    "a page in the middle (budget 15)": await p50("before=500000"),
    "one rare kind (budget 15)": await p50("kind=reply"),
    "one rare state (budget 15)": await p50("state=failed"),
    "a kind and a state without messages (budget 15)": await p50("kind=manual&state=unknown"),
    "one lead (budget 15)": await p50(`lead_id=${leadId}`),
    "a week long ago (budget 15)": await p50("from=2025-06-01T00:00:00Z&to=2025-06-08T00:00:00Z"),
    "refused in a month long ago (budget 15)": await p50(
      "state=failed&from=2025-06-01T00:00:00Z&to=2025-07-01T00:00:00Z",
    ),
    "results of follow-ups in three months of 15,000 sends": round(
      await timed(5, () => get("/api/followups/results?from=2026-05-01T00:00:00Z&to=2026-07-30T00:00:00Z")),
    ),
  };
}

/** Writes messages of 100,000 leads from the last two months, in addition to the older ones. */
export async function writeRecentMessages(pool: Pool, ownerId: string): Promise<void> {
  await pool.query(
    `insert into messages (owner_id, account_user_id, peer_user_id, message_id, is_outgoing, text, sent_at)
    select $1, 3, 1 + (n * 7) % 100000, n, false, case when n % 9 = 0 then 'And word' || n % 30 || ' is what I would like to hear more about' else
      'Thank you, I shall look at it when I am back at home and write to you again' end, date_trunc('second', now()) - n * interval '50 seconds'
    from generate_series(1, ${WRITTEN}) n`,
    [ownerId],
  );
  await pool.query("vacuum analyze messages");
}

type LabOptions = { url: string; headers: Record<string, string>; stageIds: readonly string[] };

/** Measures the preview of edited keywords, and another customer's requests at the same time. */
export async function benchLab({ url, headers, stageIds }: LabOptions): Promise<Record<string, string | number>> {
  const stages = stageIds.map((id, index) => ({
    id,
    name: `Stage ${index + 1}`,
    keywords: [`word${index + 2}`, `thing${index}`, ...(index === 9 ? ["back at home"] : [])],
    order: index + 1,
  }));
  let scanned = 0;
  const look = async () => {
    const answer = await fetch(`${url}/api/stages/preview`, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify({ stages }),
    });
    ({ scanned } = (await answer.json()) as { scanned: number });
  };
  const ask = { url: () => `${url}/api/leads?limit=50&offset=0`, headers, connections: 2, seconds: 4 };
  await look();
  const alone = await timed(3, look);
  const quiet = await hammer(ask);
  const over = new AbortController();
  const looking = (async () => {
    while (!over.signal.aborted) await look();
  })();
  const busy = await hammer(ask);
  over.abort();
  await looking;
  return {
    "messages scanned": scanned,
    "seconds, p50 (budget 2)": round(alone / 1000),
    "p99 ms of another call, alone and during it": `${round(quiet.p99)} ${round(busy.p99)}`,
    "relative to alone (budget 2)": round(busy.p99 / quiet.p99),
  };
}
