import type { Pool } from "../../server/db/index.ts";

export type Dataset = { ownerId: string; email: string; stageIds: string[] };

const OWNERS = 10;
const LEADS_EACH = 100_000;
const STAGES = 20;

/** Writes ten owners with 100,000 leads each in twenty stages; the first owner is the bench's own account. */
export async function writeDataset(pool: Pool, owner: { id: string }): Promise<{ stageIds: string[] }> {
  await pool.query(
    `insert into auth.users (id, email, encrypted_password) select gen_random_uuid(), 'other-' || n || '@example.com', '' from generate_series(1, ${OWNERS - 1}) n`,
  );
  await pool.query("delete from stages");
  await pool.query(
    `insert into stages (owner_id, name, keywords, "order") select u.id, 'Stage ' || n, array['word' || n], n from auth.users u, generate_series(1, ${STAGES}) n`,
  );
  // Nothing searches the other owners' leads.
  await pool.query("alter table leads disable trigger leads_found");
  await pool.query(`
    insert into leads (owner_id, telegram_user_id, name, username, stage_id, created_at, stage_entered_at, last_user_message_at, last_message_at, last_inbound_at)
    select s.owner_id, n, case when n % 20 = 0 then 'Annabel' when n % 7 = 0 then 'Robert' else 'Person' end || ' ' || case when n % 5000 = 17 then 'Zephyrine' else 'Smith' end || ' ' || n,
      'user_' || n, s.ids[1 + n % ${STAGES}], timestamptz '2026-01-01' + n * interval '97 seconds', timestamptz '2026-01-01' + n * interval '97 seconds',
      timestamptz '2026-01-01' + n * interval '97 seconds', timestamptz '2026-01-01' + n * interval '97 seconds', timestamptz '2026-01-01' + n * interval '97 seconds'
    from (select owner_id, array_agg(id order by "order") as ids from stages group by owner_id) s, generate_series(1, ${LEADS_EACH}) n`);
  await pool.query("alter table leads enable trigger leads_found");
  await pool.query(
    "insert into lead_words (lead_id, owner_id, words, is_full) select w.* from words_of_leads(array(select id from leads where owner_id = $1)) w",
    [owner.id],
  );
  await pool.query("vacuum analyze leads");
  const { rows } = await pool.query<{ id: string }>(`select id from stages where owner_id = $1 order by "order"`, [
    owner.id,
  ]);
  return { stageIds: rows.map(({ id }) => id) };
}
