import { sql } from "kysely";
import { keywordChars, KEYWORDS_TOTAL_MAX_CHARS } from "../../domain/keyword.ts";
import type { StageCreate, StageFields, StagePatch } from "../../domain/stage.ts";
import type { Deps } from "../core/deps.ts";
import { nameTaken, notFound, refuse } from "../core/problem.ts";
import { enforceQuota } from "../owned-data/quota.ts";
import { isUniqueViolation, type DbOrTx, type Tx } from "../db/index.ts";

export type StageRow = StageFields & { id: string };
const COLUMNS = ["id", "name", "color", "order", "keywords"] as const;

export const listStages = (db: DbOrTx, ownerId: string): Promise<StageRow[]> =>
  db.selectFrom("stages").select(COLUMNS).where("owner_id", "=", ownerId).orderBy("order").execute();

/**
 * Runs one edit of an owner's stages under a lock: concurrent edits run one after another, orders stay 1..n, and all processes reload the
 * compiled rules.
 */
export async function editStages<T>(
  { db, bus }: Pick<Deps, "db" | "bus">,
  ownerId: string,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  try {
    return await db.transaction().execute(async (tx) => {
      await sql`insert into stage_rules (owner_id) values (${ownerId}) on conflict (owner_id) do update set version = stage_rules.version + 1`.execute(
        tx,
      );
      const result = await work(tx);
      await bus.publish("stages.changed", { owner_id: ownerId }, tx);
      return result;
    });
  } catch (error) {
    if (isUniqueViolation(error) && (error as { constraint?: unknown }).constraint === "stages_name_key") {
      throw nameTaken("stage_name_taken");
    }
    throw error;
  }
}

/** Limits the cost of a user's keywords for the process and the database. @throws ProblemError 422 */
export function enforceKeywordQuota(stages: readonly { keywords: readonly string[] }[]): void {
  const chars = stages.reduce((sum, { keywords }) => sum + keywordChars(keywords), 0);
  if (chars <= KEYWORDS_TOTAL_MAX_CHARS) return;
  throw refuse(
    422,
    "too_many_keywords",
    { characters: chars, limit: KEYWORDS_TOTAL_MAX_CHARS },
    { fields: { keywords: "Too many characters over all stages." } },
  );
}

/** Adds a stage if the quota allows. An order within the list moves later stages back; one beyond the end appends. */
export async function createStage(tx: Tx, ownerId: string, stage: StageCreate): Promise<StageRow> {
  await enforceQuota(tx, "stages", ownerId);
  const stages = await listStages(tx, ownerId);
  enforceKeywordQuota([...stages, stage]);
  const order = Math.min(stage.order ?? stages.length + 1, stages.length + 1);
  await sql`update stages set "order" = "order" + 1 where owner_id = ${ownerId} and "order" >= ${order}`.execute(tx);
  return tx
    .insertInto("stages")
    .values({ ...stage, owner_id: ownerId, order })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
}

/**
 * Changes a stage. A new order swaps places with the stage that has it, so that a browser that saves a rearranged list stage by stage, in
 * any sequence, ends with the list it showed.
 */
export async function patchStage(tx: Tx, ownerId: string, stageId: string, patch: StagePatch): Promise<StageRow> {
  const stages = await listStages(tx, ownerId);
  const stage = stages.find(({ id }) => id === stageId);
  if (stage === undefined) throw notFound();
  const order = Math.min(patch.order, stages.length);
  if (order !== stage.order) {
    await tx
      .updateTable("stages")
      .set({ order: stage.order })
      .where("owner_id", "=", ownerId)
      .where("order", "=", order)
      .execute();
    await tx.updateTable("stages").set({ order }).where("owner_id", "=", ownerId).where("id", "=", stageId).execute();
  }
  if (!("name" in patch)) return { ...stage, order };
  enforceKeywordQuota([...stages.filter(({ id }) => id !== stageId), patch]);
  return tx
    .updateTable("stages")
    .set({ ...patch, order })
    .where("owner_id", "=", ownerId)
    .where("id", "=", stageId)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
}
