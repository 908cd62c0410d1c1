import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { deleteInBatches } from "../../../server/db/index.ts";
import { startTestEngine } from "../../support/engine.ts";

test("deletes matching rows in batches, and keeps the others", async () => {
  const engine = await startTestEngine();
  onTestFinished(() => engine.stop());
  const { id } = await engine.newSeller();
  const row = { owner_id: id, fingerprint: "f", answer: null };
  const rows = Array.from({ length: 8 }, (_, index) => ({
    ...row,
    key: `key ${index}`,
    at: index === 3 ? engine.clock.iso() : "2020-01-01T00:00:00Z",
  }));
  await engine.deps.db.insertInto("request_keys").values(rows).execute();
  const deleted: number[] = [];
  const db = engine.deps.db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      deleted.push(Number(result.numAffectedRows));
      return result;
    },
  });
  await deleteInBatches(db, "request_keys", sql`at < '2021-01-01'`, 3);
  expect(deleted).toEqual([3, 3, 1]);
  const left = await engine.deps.db.selectFrom("request_keys").select("key").where("owner_id", "=", id).execute();
  expect(left).toEqual([{ key: "key 3" }]);
});
