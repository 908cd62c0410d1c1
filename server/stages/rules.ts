import { sql } from "kysely";
import { compileInSteps, type StageKeywords, type StageMatcher } from "../../domain/keywords.ts";
import { INITIAL_STAGE } from "../../domain/stage.ts";
import type { Bus } from "../core/bus.ts";
import { nextTurn, systemClock } from "../core/clock.ts";
import type { Db, DbOrTx, Tx } from "../db/index.ts";

export type CompiledRules = {
  version: number;
  firstStageId: string;
  orderOf: ReadonlyMap<string, number>;
  matcher: StageMatcher;
};

/** Returns an owner's compiled stage rules; compiled once per version and process. */
export type StageRules = { of(ownerId: string): Promise<CompiledRules>; forget(ownerId: string): void };

/** Maximum memory for compiled rules in a process; evicts the least recently used. */
const MAX_BYTES = 64 * 1_048_576;
/** Maximum time that compiling blocks the event loop at once. */
const TURN_MS = 4;

/** @param maxBytes see `MAX_BYTES` */
export function createStageRules(db: Db, bus: Bus, maxBytes = MAX_BYTES): StageRules {
  /** least recently used first */
  const compiled = new Map<string, Promise<CompiledRules>>();
  const bytesOf = new Map<string, number>();
  let bytes = 0;
  /** compiled before a possible loss of notifications, and not yet compared with the stored version */
  const doubted = new Set<string>();
  const forget = (ownerId: string) => {
    doubted.delete(ownerId);
    compiled.delete(ownerId);
    bytes -= bytesOf.get(ownerId) ?? 0;
    bytesOf.delete(ownerId);
  };
  const weigh = (ownerId: string, rules: CompiledRules): void => {
    bytes += rules.matcher.bytes;
    bytesOf.set(ownerId, rules.matcher.bytes);
    for (const oldest of compiled.keys()) {
      if (bytes <= maxBytes) return;
      if (oldest !== ownerId && bytesOf.has(oldest)) forget(oldest);
    }
  };
  bus.on("stages.changed", ({ owner_id }) => forget(owner_id));
  bus.onGap(() => [...compiled.keys()].forEach((ownerId) => doubted.add(ownerId)));
  const settleDoubt = async (ownerId: string, known: Promise<CompiledRules>): Promise<void> => {
    const [{ version }, stored] = await Promise.all([known, storedVersion(db, ownerId)]);
    if (compiled.get(ownerId) === known && version !== stored) forget(ownerId);
    doubted.delete(ownerId);
  };
  return {
    async of(ownerId) {
      const doubtful = doubted.has(ownerId) ? compiled.get(ownerId) : undefined;
      if (doubtful !== undefined) await settleDoubt(ownerId, doubtful);
      const known = compiled.get(ownerId);
      if (known !== undefined) {
        compiled.delete(ownerId);
        compiled.set(ownerId, known);
        return known;
      }
      const fresh = compileRules(db, ownerId);
      compiled.set(ownerId, fresh);
      fresh.then(
        (rules) => compiled.get(ownerId) === fresh && weigh(ownerId, rules),
        () => compiled.get(ownerId) === fresh && forget(ownerId),
      );
      return fresh;
    },
    forget,
  };
}

/** Compiling large sets takes tens of milliseconds, so it yields to other work in between. */
async function compileInTurns(stages: readonly StageKeywords[]): Promise<StageMatcher> {
  const compiling = compileInSteps(stages);
  for (let began = systemClock.monotonic(); ;) {
    const turn = compiling.next();
    if (turn.done === true) return turn.value;
    if (systemClock.monotonic() - began < TURN_MS) continue;
    await nextTurn();
    began = systemClock.monotonic();
  }
}

async function storedVersion(db: DbOrTx, ownerId: string): Promise<number> {
  const row = await db.selectFrom("stage_rules").select("version").where("owner_id", "=", ownerId).executeTakeFirst();
  return row?.version ?? 1;
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
    return { stages, version: await storedVersion(tx, ownerId) };
  });
  return {
    version,
    firstStageId: (stages[0] as { id: string }).id,
    orderOf: new Map(stages.map(({ id, order }) => [id, order])),
    matcher: await compileInTurns(stages),
  };
}

/** Creates the stage 'Initial Contact' for an owner without stages; every lead needs a first stage. */
export async function ensureInitialStage(tx: Tx, ownerId: string): Promise<void> {
  const hasStage = () =>
    tx.selectFrom("stages").select("id").where("owner_id", "=", ownerId).limit(1).executeTakeFirst();
  if ((await hasStage()) !== undefined) return;
  // Two concurrent first messages are serialized here; the second finds the first one's stage.
  await sql`select pg_advisory_xact_lock(hashtextextended(${ownerId}, 1))`.execute(tx);
  if ((await hasStage()) !== undefined) return;
  await tx
    .insertInto("stages")
    .values({ owner_id: ownerId, ...INITIAL_STAGE, keywords: [...INITIAL_STAGE.keywords] })
    .execute();
}

/** Creates a new account's first stage. Returns false if stages were edited before: then the user wants an empty list. */
export async function addFirstStage(db: Db, ownerId: string): Promise<boolean> {
  const edited = await db
    .selectFrom("stage_rules")
    .select("version")
    .where("owner_id", "=", ownerId)
    .executeTakeFirst();
  if (edited !== undefined) return false;
  await db.transaction().execute((tx) => ensureInitialStage(tx, ownerId));
  return true;
}
