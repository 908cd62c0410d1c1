import { sql } from "kysely";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openDatabase, type OpenDatabase } from "../../../server/db/index.ts";
import { testDatabase } from "../../support/database.ts";

const database = await testDatabase();
let opened: OpenDatabase;
beforeAll(async () => {
  opened = await openDatabase(database.options);
});
afterAll(async () => {
  await opened.close();
  await database.drop();
});

/** Foreign keys that no index begins with: deleting what they point to would read the whole table for every row. */
async function unindexed(): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select c.conrelid::regclass || '.' || c.conname as name from pg_constraint c
    where c.contype = 'f' and c.connamespace in ('public'::regnamespace, 'auth'::regnamespace) and not exists (
      select from pg_index i where i.indrelid = c.conrelid and i.indisvalid
        and (i.indkey::int2[])[0:cardinality(c.conkey) - 1] @> c.conkey
        -- An index without the nulls serves as well: nobody points to nothing.
        and (i.indpred is null or pg_get_expr(i.indpred, i.indrelid) = (
          select format('(%I IS NOT NULL)', a.attname) from pg_attribute a where a.attrelid = c.conrelid and a.attnum = c.conkey[1])))
    order by 1`.execute(opened.db);
  return rows.map(({ name }) => name);
}

it("every foreign key has an index that a deletion can follow", async () => {
  expect(await unindexed()).toEqual([]);
  await sql`create table public.loose (id int, owner_id uuid constraint loose_owner references auth.users (id) on delete cascade)`.execute(
    opened.db,
  );
  expect(await unindexed()).toEqual(["loose.loose_owner"]);
  await sql`create index on public.loose (id, owner_id)`.execute(opened.db);
  expect(await unindexed()).toEqual(["loose.loose_owner"]);
});
