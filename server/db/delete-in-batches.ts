import { sql, type RawBuilder } from "kysely";
import type { Db } from "./schema.ts";

const ROWS_PER_BATCH = 10_000;

/** Deletes the matching rows of a table in batches, each far below the statement timeout. */
export async function deleteInBatches(
  db: Db,
  table: string,
  where: RawBuilder<unknown>,
  rowsPerBatch: number = ROWS_PER_BATCH,
): Promise<void> {
  for (let count = rowsPerBatch; count === rowsPerBatch;) {
    const { numAffectedRows } = await sql`
      delete from ${sql.table(table)} where ctid = any(array(
        select ctid from ${sql.table(table)} where ${where} limit ${rowsPerBatch}))`.execute(db);
    count = Number(numAffectedRows ?? 0);
  }
}
