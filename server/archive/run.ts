import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { ARCHIVE_PROBLEMS } from "../../domain/archive-problems.ts";
import { storedReason } from "../../domain/stored-reasons.ts";
import { publishEvents } from "../core/bus.ts";
import { nextTurn } from "../core/clock.ts";
import type { Deps } from "../core/deps.ts";
import { ProblemError } from "../core/problem.ts";
import type { Tx } from "../db/index.ts";
import { PARTS, type Part, type Row } from "../owned-data/index.ts";
import { eraseParts } from "../privacy/index.ts";
import { ensureInitialStage } from "../stages/rules.ts";
import { insertMedium, insertRows, takeLedgerIds, type ImportContext } from "./apply.ts";
import { createIdMap } from "./ids.ts";
import { broken, type Archive } from "./open.ts";
import { SILENT_SECONDS } from "./imports.ts";
import { fileOf } from "./parts.ts";
import { readMedium, readSettings, rowsOf } from "./read.ts";

type RunDeps = Pick<Deps, "db" | "bus" | "clock" | "logger">;
export type Job = { id: string; ownerId: string };

/** The job that ends abandoned imports. */
export const END_SILENT_IMPORTS = "imports.end";
/** A batch takes a fraction of a second on the embedded database. Other work runs between batches. */
const ROWS_A_BATCH = 500;
/** A row may have a million characters; this bounds the memory and the statement of a batch. */
const CHARS_A_BATCH = 2_000_000;

/** This process no longer runs the import: it is stopping, another process took over, or the account is gone. */
class TakenOver extends Error {}

/**
 * Imports an archive in batches, each in a transaction that also stores the progress. If a row is refused, removes everything that was
 * imported and stores the reason.
 * @param isStopping true when no further batch may begin; another process then removes what was imported
 */
export async function runImport(deps: RunDeps, job: Job, archive: Archive, isStopping: () => boolean): Promise<void> {
  try {
    await importParts(deps, job, archive, isStopping);
  } catch (error) {
    if (error instanceof TakenOver || isStopping()) return;
    if (!(error instanceof ProblemError))
      deps.logger.warn({ err: error, import: job.id }, "importing an archive failed");
    await giveUp(deps, job, reasonOf(error), isStopping);
  }
}

async function importParts(deps: RunDeps, job: Job, archive: Archive, isStopping: () => boolean): Promise<void> {
  const context: ImportContext = {
    ownerId: job.ownerId,
    at: deps.clock.iso(),
    mapped: createIdMap(randomBytes(32).toString("hex")),
    ledgerIds: await takeLedgerIds(deps.db, archive.fileOf("ledger.csv").rows ?? 0),
  };
  const imported: Record<string, number> = {};
  for (const part of PARTS) {
    let waiting: Row[] = [];
    let chars = 0;
    const keep = async () => {
      if (waiting.length === 0) return;
      if (isStopping()) throw new TakenOver();
      const first = (imported[part.name] ?? 0) === 0;
      await inBatch(deps, job, waiting.length, (tx) => insert(tx, { part, rows: waiting, context, archive, first }));
      imported[part.name] = (imported[part.name] ?? 0) + waiting.length;
      waiting = [];
      chars = 0;
      await nextTurn();
    };
    for await (const row of rowsOf(archive, part)) {
      waiting.push(row);
      for (const cell of Object.values(row)) chars += cell?.length ?? 0;
      if (chars >= CHARS_A_BATCH || waiting.length === (part.name === "media" ? 1 : ROWS_A_BATCH)) await keep();
    }
    await keep();
  }
  await finish(deps, job, { archive, context, imported });
}

/** Runs one batch if the import still belongs to this process. */
const inBatch = (deps: RunDeps, { id }: Job, rows: number, work: (tx: Tx) => Promise<void>): Promise<void> =>
  deps.db.transaction().execute(async (tx) => {
    const { rows: mine } = await sql`update account_imports set done = done + ${rows}::int, beat_at = clock_timestamp()
      where id = ${id}::uuid and status = 'in_progress' and not is_removing returning id`.execute(tx);
    if (mine.length === 0) throw new TakenOver();
    // Webhooks send no events about imported history.
    await sql`select set_config('leadloom.untold', 'on', true)`.execute(tx);
    await work(tx);
  });

async function insert(
  tx: Tx,
  {
    part,
    rows,
    context,
    archive,
    first,
  }: { part: Part; rows: Row[]; context: ImportContext; archive: Archive; first: boolean },
): Promise<void> {
  if (part.name === "media") {
    for (const row of rows) await insertMedium(tx, row, await readMedium(archive, row), context);
    return;
  }
  // Removes the default stage of a new account.
  if (part.name === "stages" && first) await tx.deleteFrom("stages").where("owner_id", "=", context.ownerId).execute();
  try {
    await insertRows(tx, part, rows, context);
  } catch (error) {
    throw misfit(part, error);
  }
}

const MISFITS = {
  "23503": "names_missing",
  "23505": "twice",
  "23514": "impossible",
  "23502": "value_missing",
} as const;

/** Turns Postgres's refusal of a row into a problem of the archive. */
function misfit(part: Part, error: unknown): unknown {
  const { code = "", constraint = code } = error as { code?: string; constraint?: string };
  const problem = code.startsWith("22")
    ? "impossible"
    : (MISFITS[code as keyof typeof MISFITS] as (typeof MISFITS)[keyof typeof MISFITS] | undefined);
  return problem === undefined ? error : broken("row_refused", { path: fileOf(part), problem, constraint });
}

const reasonOf = (error: unknown): string =>
  error instanceof ProblemError && Object.hasOwn(ARCHIVE_PROBLEMS, error.code)
    ? storedReason(error.code as "archive_broken", error.params as { reason: "damaged" })
    : storedReason("account_import_failed");

/** Finishes an import. Automation stays switched off, so that nothing is sent because of the import. */
async function finish(
  deps: RunDeps,
  job: Job,
  { archive, context, imported }: { archive: Archive; context: ImportContext; imported: Record<string, number> },
): Promise<void> {
  const { ownerId, at } = context;
  const { auto_followups_enabled: _, ...choices } = await readSettings(archive);
  await inBatch(deps, job, 0, async (tx) => {
    const values = { ...choices, auto_followups_enabled: false, auto_followups_since: null, updated_at: at };
    await tx
      .insertInto("user_settings")
      .values({ user_id: ownerId, ...values })
      .onConflict((conflict) => conflict.column("user_id").doUpdateSet(values))
      .execute();
    await ensureInitialStage(tx, ownerId);
    await renewRules(deps, tx, ownerId);
    await tx
      .updateTable("account_imports")
      .set({ status: "completed", brought: JSON.stringify(imported), finished_at: at })
      .where("id", "=", job.id)
      .execute();
    await publishEvents(
      deps.bus,
      ownerId,
      [
        { type: "lead.changed" },
        { type: "leads.changed" },
        { type: "inbox.changed" },
        { type: "tags.changed" },
        { type: "fields.changed" },
        { type: "views.changed" },
        { type: "exclusions.changed" },
      ],
      tx,
    );
  });
}

async function renewRules({ bus }: RunDeps, tx: Tx, ownerId: string): Promise<void> {
  await sql`insert into stage_rules (owner_id) values (${ownerId}::uuid)
    on conflict (owner_id) do update set version = stage_rules.version + 1`.execute(tx);
  await bus.publish("stages.changed", { owner_id: ownerId }, tx);
}

/** Tables that an import may have filled, including sends that automation planned for it, with the rows to delete at once. */
const IMPORTED_TABLES = [
  ["leads", 500],
  ["messages", 2_000],
  ["outbox", 2_000],
  ["ledger", 5_000],
  ["exclusions", 1_000],
  ["reminders", 500],
  ["views", 500],
  ["snippets", 500],
  ["followups", 500],
  ["bulk_jobs", 500],
  ["tags", 500],
  ["fields", 500],
  ["media", 10],
  ["stages", 500],
] as const;

/**
 * Removes everything that was imported and marks the import as failed. Continues where another process stopped.
 * @param isOver returns true when no further batch may begin; another process then continues
 */
async function giveUp(deps: RunDeps, { id, ownerId }: Job, reason: string, isOver = () => false): Promise<void> {
  const { db, clock } = deps;
  await sql`update account_imports set is_removing = true, beat_at = clock_timestamp()
    where id = ${id}::uuid and status = 'in_progress'`.execute(db);
  const parts = IMPORTED_TABLES.map(([table, rows]) => ({ table, of: "owner_id" as const, rows }));
  const canContinue = sql`update account_imports set beat_at = clock_timestamp()
    where id = ${id}::uuid and status = 'in_progress' and is_removing returning id`;
  if (!(await eraseParts(db, { userId: ownerId, parts, canContinue, isOver }))) return;
  await db.transaction().execute(async (tx) => {
    const { rows } = await canContinue.execute(tx);
    if (rows.length === 0) return;
    await ensureInitialStage(tx, ownerId);
    await renewRules(deps, tx, ownerId);
    await tx
      .updateTable("account_imports")
      .set({ status: "failed", is_removing: false, reason, finished_at: clock.iso() })
      .where("id", "=", id)
      .execute();
  });
}

/** Stops the owner's running import at its next batch. Returns the import to remove, or null if none is running. */
export async function markStopped({ db }: Pick<RunDeps, "db">, ownerId: string): Promise<Job | null> {
  const { rows } = await sql<{ id: string }>`update account_imports set is_removing = true, beat_at = clock_timestamp()
    where owner_id = ${ownerId}::uuid and status = 'in_progress' and not is_removing returning id`.execute(db);
  return rows[0] === undefined ? null : { id: rows[0].id, ownerId };
}

/** Removes what a cancelled import stored. @param isStopping returns true when this process is stopping */
export const removeStopped = (deps: RunDeps, job: Job, isStopping: () => boolean): Promise<void> =>
  giveUp(deps, job, storedReason("account_import_cancelled"), isStopping);

/**
 * Ends abandoned imports and removes what they imported.
 * @param silentSeconds time since the last sign of their process
 */
export async function endSilentImports(deps: RunDeps, silentSeconds = SILENT_SECONDS): Promise<void> {
  const { rows } = await sql<{ id: string; owner_id: string }>`
    select id, owner_id from account_imports
    where status = 'in_progress' and beat_at < clock_timestamp() - ${silentSeconds}::int * interval '1 second' order by beat_at`.execute(
    deps.db,
  );
  for (const { id, owner_id: ownerId } of rows)
    await giveUp(deps, { id, ownerId }, storedReason("account_import_interrupted"));
}
