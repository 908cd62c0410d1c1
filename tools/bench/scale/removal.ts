import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { sql } from "kysely";
import type { Jobs } from "../../../server/core/jobs.ts";
import { createBus } from "../../../server/core/bus.ts";
import { systemClock } from "../../../server/core/clock.ts";
import { openDatabase, type OpenDatabase } from "../../../server/db/index.ts";
import { deleteFollowup, restoreFollowup } from "../../../server/followups/deletion.ts";
import { eraseParts, ACCOUNT_TABLES } from "../../../server/privacy/batches.ts";
import { deleteStage } from "../../../server/stages/removal.ts";
import { finishRemovals } from "../../../server/stages/removal-lanes.ts";
import { writeOwners } from "./stored.ts";
import { atMost, type Figure, type Topic } from "./topic.ts";

const LEADS = 100_000;
/**
 * The account is closed at once, and its data must be gone within a day. One run of the job must erase 200,000 leads, so that the next
 * minute's run can start on the next account (`RUN_MS` in server/privacy/leaving.ts).
 */
const ONE_RUN_MS = 45_000;

/** The time to delete a stage, a step and an account of 100,000 leads, and the longest wait of other users, on both databases. */
export const removal: Topic = {
  name: "removal",
  async measure({ database, print }) {
    const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), "leadloom-removal-"));
    const embedded = await openDatabase({ kind: "pglite", dataDir });
    try {
      return [
        ...(await measureOn(database, print, "Postgres", 3_000)),
        ...(await measureOn(embedded, print, "embedded", 10_000)),
      ];
    } finally {
      await embedded.close();
      fs.rmSync(dataDir, { recursive: true, force: true });
    }
  },
};

async function measureOn(
  database: OpenDatabase,
  print: (line: string) => void,
  name: string,
  budget: number,
): Promise<Figure[]> {
  const { db } = database;
  const bus = await createBus(db, database.engine, () => {});
  const jobs = { trigger: async () => {} } as unknown as Jobs;
  const deps = { db, bus, clock: systemClock, jobs, engine: database.engine };
  // Every second lead is in the second stage.
  const [owner = ""] = await writeOwners(database, { owners: 1, leads: 2 * LEADS, prefix: "removal" });
  const [other = ""] = await writeOwners(database, { owners: 1, leads: 100, prefix: "other" });
  await sql`alter table leads disable trigger user`.execute(db);
  await sql`update leads set followup_order_sent = 3 where owner_id = ${owner}::uuid`.execute(db);
  await sql`alter table leads enable trigger user`.execute(db);
  await sql`delete from lead_due where owner_id = ${owner}::uuid`.execute(db);
  if (database.engine.kind === "postgres") await sql`vacuum analyze leads`.execute(db);
  const { rows } = await sql<{
    stage: string;
    step: string;
  }>`select s.id as stage, f.id as step from stages s join followups f on f.stage_id = s.id
    where s.owner_id = ${owner}::uuid and s."order" = 2 and f.followup_order = 0`.execute(db);
  const { stage = "", step = "" } = rows[0] ?? {};
  const figures: Figure[] = [];
  const measured = async (item: string, work: () => Promise<unknown>, most = budget) => {
    const { ms, waited } = await timeWithOtherUser(database, other, work);
    print(`  ${item}: ${Math.round(ms)} ms, another user waited at most ${Math.round(waited)} ms`);
    figures.push(
      atMost(`${name}: ${item}`, ms, most, "ms"),
      atMost(`${name}: longest wait of another user`, waited, 1_000, "ms"),
    );
  };
  print(`${name}: a step, a stage, an account`);
  await measured("delete a step of 100,000 leads", () => deleteFollowup(db, owner, step, systemClock.iso()), 100);
  await measured("restore it", () => restoreFollowup(db, owner, step, systemClock.now()), 100);
  await measured("delete a stage of 100,000 leads", () => deleteStage(deps, owner, stage));
  await measured("move its last leads", () => finishRemovals(deps));
  const all = sql`select 1`;
  await measured(
    "erase 200,000 leads in one run of the job",
    () => eraseParts(db, { userId: owner, parts: ACCOUNT_TABLES, canContinue: all }),
    ONE_RUN_MS,
  );
  return figures;
}

/** Runs `work` while another user reads and changes a lead in a loop. @returns the duration, and the longest of those statements */
async function timeWithOtherUser({ db }: OpenDatabase, other: string, work: () => Promise<unknown>) {
  const done = new AbortController();
  let waited = 0;
  const asking = (async () => {
    while (!done.signal.aborted) {
      const from = performance.now();
      await sql`update leads set notes = 'x' where id = (select id from leads where owner_id = ${other}::uuid order by created_at desc, id desc limit 1)`.execute(
        db,
      );
      waited = Math.max(waited, performance.now() - from);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  })();
  const from = performance.now();
  await work();
  const ms = performance.now() - from;
  done.abort();
  await asking;
  return { ms, waited };
}
