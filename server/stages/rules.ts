import { sql } from "kysely";
import { compileStageMatcher, type StageMatcher } from "../../domain/keywords.ts";
import { INITIAL_STAGE } from "../../domain/stage.ts";
import type { Bus } from "../core/bus.ts";
import type { Db, Tx } from "../db/index.ts";

export type CompiledRules = {
  version: number;
  firstStageId: string;
  orderOf: ReadonlyMap<string, number>;
  matcher: StageMatcher;
};

/** Gives the compiled stage rules of an owner; compiled once per version and process. */
export type StageRules = { of(ownerId: string): Promise<CompiledRules>; forget(ownerId: string): void };

const MAX_OWNERS = 5_000;

export function createStageRules(db: Db, bus: Bus): StageRules {
  const compiled = new Map<string, Promise<CompiledRules>>();
  bus.on("stages.changed", ({ owner_id }) => compiled.delete(owner_id));
  return {
    of(ownerId) {
      const known = compiled.get(ownerId);
      if (known !== undefined) return known;
      if (compiled.size >= MAX_OWNERS) compiled.clear();
      const fresh = compileRules(db, ownerId);
      compiled.set(ownerId, fresh);
      fresh.catch(() => compiled.delete(ownerId));
      return fresh;
    },
    forget: (ownerId) => void compiled.delete(ownerId),
  };
}

async function compileRules(db: Db, ownerId: string): Promise<CompiledRules> {
  const { stages, version } = await db.transaction().execute(async (tx) => {
    await ensureInitialStage(tx, ownerId);
    const stages = await tx
      .selectFrom("stages")
      .select(["id", "order", "keywords"])
      .where("owner_id", "=", ownerId)
      .orderBy("order")
      .execute();
    const rules = await tx
      .selectFrom("stage_rules")
      .select("version")
      .where("owner_id", "=", ownerId)
      .executeTakeFirst();
    return { stages, version: rules?.version ?? 1 };
  });
  return {
    version,
    firstStageId: (stages[0] as { id: string }).id,
    orderOf: new Map(stages.map(({ id, order }) => [id, order])),
    matcher: compileStageMatcher(stages),
  };
}

/** Makes the stage 'Initial Contact' for an owner who has none: every lead needs a first stage to enter. */
export async function ensureInitialStage(tx: Tx, ownerId: string): Promise<void> {
  const hasStage = () =>
    tx.selectFrom("stages").select("id").where("owner_id", "=", ownerId).limit(1).executeTakeFirst();
  if ((await hasStage()) !== undefined) return;
  // Two first messages at once take turns here; the second finds the stage of the first.
  await sql`select pg_advisory_xact_lock(hashtextextended(${ownerId}, 1))`.execute(tx);
  if ((await hasStage()) !== undefined) return;
  await tx
    .insertInto("stages")
    .values({ owner_id: ownerId, ...INITIAL_STAGE, keywords: [...INITIAL_STAGE.keywords] })
    .execute();
}
