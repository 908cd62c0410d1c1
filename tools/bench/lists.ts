import type { Pool } from "../../server/db/index.ts";
import { round, timed } from "./measure.ts";

/**
 * Writes tags for every tenth and every hundredth lead, a number for four of five, a choice for two of three, and a few unreachable leads.
 */
export async function writeOwnColumns(
  pool: Pool,
  ownerId: string,
): Promise<{ tagId: string; numberId: string; choiceId: string }> {
  const id = async (statement: string) => (await pool.query<{ id: string }>(statement, [ownerId])).rows[0]?.id ?? "";
  const tagOf = async (name: string, every: number) => {
    const tag = await id(
      `insert into tags (owner_id, name, color, created_at) values ($1, '${name}', '#112233', now()) returning id`,
    );
    await pool.query(
      `insert into lead_tags (owner_id, tag_id, lead_id) select owner_id, $2, id from leads where owner_id = $1 and telegram_user_id % ${every} = 1`,
      [ownerId, tag],
    );
    return tag;
  };
  const tagId = await tagOf("of some", 10);
  await tagOf("of few", 100);
  const numberId = await id(
    "insert into fields (owner_id, name, type, created_at) values ($1, 'Budget', 'number', now()) returning id",
  );
  await pool.query(
    `insert into lead_fields (owner_id, field_id, lead_id, number_value)
    select owner_id, $2, id, telegram_user_id * 7919 % 10000 from leads where owner_id = $1 and telegram_user_id % 5 > 0`,
    [ownerId, numberId],
  );
  const choiceId = await id(
    `insert into fields (owner_id, name, type, options, created_at) values ($1, 'Source', 'choice', '["ads","friend","fair","web"]', now()) returning id`,
  );
  await pool.query(
    `insert into lead_fields (owner_id, field_id, lead_id, text_value)
    select owner_id, $2, id, (array['ads', 'friend', 'fair', 'web'])[1 + telegram_user_id % 4] from leads where owner_id = $1 and telegram_user_id % 3 > 0`,
    [ownerId, choiceId],
  );
  await pool.query(
    `update leads set opted_out_at = case when telegram_user_id % 100 = 3 then now() end,
      unreachable_reason = case when telegram_user_id % 50 = 4 then 'USER_IS_BLOCKED' end
    where owner_id = $1 and (telegram_user_id % 100 = 3 or telegram_user_id % 50 = 4)`,
    [ownerId],
  );
  for (const table of ["leads", "lead_words", "lead_tags", "lead_fields"]) await pool.query(`vacuum analyze ${table}`);
  return { tagId, numberId, choiceId };
}

const SORTS = ["", "name", "-last_message_at", "stage_entered_at"];

/**
 * Measures the first and a middle page of each filter, order and search.
 * @param get requests an address of the product and reads the whole response
 */
export async function benchLists(
  get: (address: string) => Promise<{ total?: number }>,
  { tagId, numberId, choiceId, stageId }: { tagId: string; numberId: string; choiceId: string; stageId: string },
): Promise<Record<string, string>> {
  const queries = [
    ...SORTS.map((sort) => `sort=${sort}`),
    `sort=-field.${numberId}`,
    `sort=field.${choiceId}`,
    "opted_out=false",
    "unreachable=true",
    "opted_out=false&unreachable=false&sort=-last_message_at",
    `tag=${tagId}`,
    `tag=${tagId}&stage_id=${stageId}&sort=name`,
    `field.${numberId}=100..200`,
    `field.${choiceId}=ads`,
    "q=annabel",
    "q=zephyrine",
    "q=tulip",
    "q=orchid",
    "q=price",
    "q=tulip%20me",
    "q=price&sort=-name",
    `q=price&tag=${tagId}&opted_out=false`,
    `q=tulip&stage_id=${stageId}`,
  ].map((query) => query.replace(/^sort=$/, ""));
  const names = { [tagId]: "<tag>", [numberId]: "<number>", [choiceId]: "<choice>", [stageId]: "<stage>" };
  const titleOf = (query: string) =>
    Object.entries(names).reduce((title, [id, name]) => title.replaceAll(id, name), query);
  const figures: Record<string, string> = {};
  for (const query of queries) {
    const address = `/api/leads?limit=50&${query}`;
    const { total = 0 } = await get(address);
    const first = await timed(15, () => get(address));
    const middle = await timed(15, () => get(`${address}&offset=${Math.floor(total / 2)}`));
    figures[`${titleOf(query) || "no filter"} (${total})`] = `${round(first)}  middle ${round(middle)}`;
  }
  for (const query of ["", `&sort=-field.${numberId}`, `&sort=field.${choiceId}`, "&q=tulip"]) {
    const address = `/api/board?per_stage=50${query}`;
    await get(address);
    figures[`board${titleOf(query)}`] = String(round(await timed(15, () => get(address))));
  }
  return figures;
}
