import { sql } from "kysely";
import { expect, test } from "vitest";
import { deleteInBatches } from "../../../server/db/index.ts";
import { ownEngine } from "../../support/engine.ts";
import { addRows, rowsOf, watchResults } from "../../support/rows.ts";

const engine = await ownEngine();

test("deletes matching rows in batches, and keeps the others", async () => {
  const { id } = await engine.newSeller();
  const row = { owner_id: id, fingerprint: "f", answer: null };
  const rows = Array.from({ length: 8 }, (_, index) => ({
    ...row,
    key: `key ${index}`,
    at: index === 3 ? engine.clock.iso() : "2020-01-01T00:00:00Z",
  }));
  await addRows(engine.deps.db, "request_keys", rows);
  const deleted: number[] = [];
  const db = watchResults(engine.deps.db, ({ numAffectedRows }) => deleted.push(Number(numAffectedRows)));
  await deleteInBatches(db, "request_keys", sql`at < '2021-01-01'`, 3);
  expect(deleted).toEqual([3, 3, 1]);
  expect(await rowsOf(engine.deps.db, "request_keys", { owner_id: id }, ["key"])).toEqual([{ key: "key 3" }]);
});
