import { reasonFields } from "../core/languages.ts";
import { storedReason } from "../../domain/stored-reasons.ts";
import { sql, type RawBuilder } from "kysely";
import type { Reminder, ReminderCreate } from "../../domain/reminder.ts";
import { UNDO_MS } from "../../domain/limits.ts";
import type { Deps } from "../core/deps.ts";
import { notFound, refuseInput } from "../core/problem.ts";
import { withIdempotencyKey, releaseRequestKey, type KeyedRequest } from "../core/request-keys.ts";
import { enforceQuota } from "../owned-data/quota.ts";
import type { Db, DbOrTx, Tx } from "../db/index.ts";
import { withdrawReminders } from "../outbox/erase.ts";

type EraseDeps = Pick<Deps, "db" | "bus" | "clock">;

const columns = [
  "id",
  "type",
  "stage",
  "delay_days",
  "channel_id",
  "template",
  "is_enabled",
  "disabled_reason",
] as const;

export type ReminderRow = {
  id: string;
  type: string;
  stage: string;
  delay_days: number;
  channel_id: string;
  template: string;
  is_enabled: boolean;
  disabled_reason: string | null;
};

/** The stage's current name. The rule stores the stage's id, so it follows a rename. */
const stageName = sql<string>`coalesce((select s.name from stages s where s.id = reminders.stage_id), stage)`;

const reminderOf = (row: ReminderRow): Reminder => ({
  ...row,
  ...reasonFields("disabled_reason", row.disabled_reason),
});

export const listReminders = async (db: Db, ownerId: string): Promise<Reminder[]> => {
  const rows = await db
    .selectFrom("reminders")
    .select(columns)
    .select(stageName.as("stage"))
    .where("owner_id", "=", ownerId)
    .where("deleted_at", "is", null)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  return rows.map(reminderOf);
};

export async function readReminder(db: DbOrTx, ownerId: string, id: string): Promise<Reminder> {
  const row = await db
    .selectFrom("reminders")
    .select(columns)
    .select(stageName.as("stage"))
    .where("id", "=", id)
    .where("owner_id", "=", ownerId)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  if (row === undefined) throw notFound();
  return reminderOf(row);
}

/** `isNew` is false if the idempotency key has added it before. */
export type AddedReminder = { id: string; isNew: boolean };

/**
 * Adds a rule for the stage of that name, ignoring case, once per idempotency key.
 * @throws ProblemError 422 when there is no such stage, 409 when the quota of rules is used up
 */
export async function addReminder(db: Db, input: ReminderCreate, request: KeyedRequest): Promise<AddedReminder> {
  let isNew = false;
  const { id } = await db.transaction().execute((tx) =>
    withIdempotencyKey(tx, request, () => {
      isNew = true;
      return insertReminder(tx, request.ownerId, input, request.at);
    }),
  );
  return { id, isNew };
}

async function insertReminder(tx: Tx, ownerId: string, input: ReminderCreate, at: string): Promise<{ id: string }> {
  const stage = await tx
    .selectFrom("stages")
    .select(["id", "name"])
    .where("owner_id", "=", ownerId)
    .where(sql<string>`lower(name)`, "=", input.stage.toLowerCase())
    .executeTakeFirst();
  if (stage === undefined) {
    const short = `There is no stage named "${input.stage}". Write it as it stands under Stages.`;
    throw refuseInput("stage", "stage_unknown", { stage: input.stage }, short);
  }
  await enforceQuota(tx, "reminders", ownerId);
  return tx
    .insertInto("reminders")
    .values({ owner_id: ownerId, ...input, stage: stage.name, stage_id: stage.id, created_at: at, enabled_at: at })
    .returning("id")
    .executeTakeFirstOrThrow();
}

/** Switches a rule on or off. Switching on counts from now and checks the channel again. */
export async function switchReminder(
  { db, clock }: Pick<Deps, "db" | "clock">,
  { ownerId, id, isEnabled }: { ownerId: string; id: string; isEnabled: boolean },
): Promise<void> {
  const changed = await db
    .updateTable("reminders")
    .set(
      isEnabled
        ? {
            is_enabled: true,
            disabled_reason: null,
            disabled_account: null,
            verified_at: null,
            enabled_at: sql<string>`case when is_enabled then enabled_at else ${clock.iso()}::timestamptz end`,
          }
        : { is_enabled: false, disabled_account: null },
    )
    .where("id", "=", id)
    .where("owner_id", "=", ownerId)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  if (changed.numUpdatedRows === 0n) throw notFound();
}

/** Disables rules whose stage is deleted: those of a stage about to be deleted, or all without a stage. */
export async function disableRemindersWithoutStage(db: DbOrTx, stageId?: string): Promise<void> {
  await db
    .updateTable("reminders")
    .set({ is_enabled: false, disabled_reason: storedReason("rule_stage_deleted"), disabled_account: null })
    .where("is_enabled", "=", true)
    .where(stageId === undefined ? sql<boolean>`stage_id is null` : sql<boolean>`stage_id = ${stageId}::uuid`)
    .execute();
}

/** Soft-deletes a rule; it can be restored for a minute. */
export async function deleteReminder(db: Db, ownerId: string, id: string, at: string): Promise<void> {
  const deleted = await db
    .updateTable("reminders")
    .set({ deleted_at: at })
    .where("id", "=", id)
    .where("owner_id", "=", ownerId)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  if (deleted.numUpdatedRows === 0n) throw notFound();
}

/** Erases a rule that was refused when it was saved, and frees its idempotency key for the next attempt. */
export const dropReminder = (deps: EraseDeps, id: string, request: KeyedRequest): Promise<void> =>
  deps.db.transaction().execute(async (tx) => {
    await eraseRules(tx, deps, sql`id = ${id}::uuid and owner_id = ${request.ownerId}::uuid`);
    await releaseRequestKey(tx, request, id);
  });

/** Rules deleted at this time or later can be restored. */
const undoableSince = (now: number): string => new Date(now - UNDO_MS).toISOString();

/**
 * Restores a rule deleted within the last minute, with its marks. A rule that is not deleted is unchanged.
 * @throws ProblemError 404 after the minute, 409 when the quota of rules is used up
 */
export const restoreReminder = (db: Db, ownerId: string, id: string, now: number): Promise<Reminder> =>
  db.transaction().execute(async (tx) => {
    const deleted = await tx
      .selectFrom("reminders")
      .select("id")
      .where("id", "=", id)
      .where("owner_id", "=", ownerId)
      .where("deleted_at", ">=", undoableSince(now))
      .forUpdate()
      .executeTakeFirst();
    if (deleted !== undefined) {
      await enforceQuota(tx, "reminders", ownerId);
      await tx.updateTable("reminders").set({ deleted_at: null }).where("id", "=", id).execute();
    }
    return readReminder(tx, ownerId, id);
  });

/** Erases rules whose undo period has passed. What they sent stays in the ledger. */
export const eraseDeletedReminders = (deps: EraseDeps): Promise<void> =>
  deps.db
    .transaction()
    .execute((tx) => eraseRules(tx, deps, sql`deleted_at < ${undoableSince(deps.clock.now())}::timestamptz`));

async function eraseRules(tx: Tx, deps: EraseDeps, which: RawBuilder<unknown>): Promise<void> {
  const { rows } = await sql<{ id: string }>`select id from reminders where ${which} for update`.execute(tx);
  if (rows.length === 0) return;
  const ids = rows.map(({ id }) => id);
  await withdrawReminders(tx, deps, ids);
  await sql`delete from reminders where id = any(${ids}::uuid[])`.execute(tx);
}

/**
 * When lead `l` becomes due for rule `r`. Leads stuck before the rule was switched on are due at that time, imported leads at their import.
 */
export const dueAt = sql<string>`greatest(l.stage_entered_at + r.delay_days * interval '1 day', r.enabled_at, l.imported_at)`;
