import type { FastifyReply, FastifyRequest } from "fastify";
import { sql, type RawBuilder } from "kysely";
import { parse } from "valibot";
import { OPT_OUT_WORDS, Settings, SettingsPatch, UserSettings, UserSettingsUpdate } from "../../domain/settings.ts";
import { WINDOW_DEFAULT_END_HOUR, WINDOW_DEFAULT_START_HOUR } from "../../domain/limits.ts";
import { publishEvent } from "../core/bus.ts";
import type { Deps } from "../core/deps.ts";
import type { DbOrTx, Tx } from "../db/index.ts";
import type { Route } from "../core/routes.ts";
import { createVersions } from "../core/versions.ts";
import type { AllowedHours } from "../../domain/schedule.ts";

const fields = Object.keys(UserSettings.entries) as (keyof UserSettings)[];
const defaults = {
  auto_followups_enabled: false,
  auto_followup_start_hour: WINDOW_DEFAULT_START_HOUR,
  auto_followup_end_hour: WINDOW_DEFAULT_END_HOUR,
};

/**
 * Call it in the transaction in which access, an account or automation returns after a break. What became overdue is listed for the user's
 * approval, as when automation is switched on; nothing stale is sent unasked. Reminders from the break expire.
 */
export async function restartAutomation(tx: DbOrTx, userId: string, at: string): Promise<void> {
  await tx
    .updateTable("user_settings")
    .set({ auto_followups_since: at })
    .where("user_id", "=", userId)
    .where("auto_followups_enabled", "=", true)
    .execute();
  await tx.updateTable("reminders").set({ returned_at: at }).where("owner_id", "=", userId).execute();
}

/** `/api/settings`, and `GET` and `POST /api/user_settings`. Switching automation on records the time, so that no backlog is sent. */
export function registerSettings(route: Route, deps: Deps): void {
  registerGeneralSettings(route, deps);
  const shared = { tag: "Settings", gate: "subscribed", url: "/api/user_settings" } as const;
  route({
    ...shared,
    method: "GET",
    scope: "read",
    id: "readAutomationSettings",
    summary: "Read the automation settings",
    answer: UserSettings,
    handler: async ({ caller, request, reply }) => {
      const stored = await readAutomation(deps.db, caller.id);
      createVersions<UserSettings>(request, reply).setETag(stored);
      return stored;
    },
  });
  route({
    ...shared,
    method: "POST",
    scope: "write",
    id: "saveAutomationSettings",
    summary: "Save the automation settings",
    takesVersion: true,
    body: UserSettingsUpdate,
    answer: UserSettings,
    handler: ({ caller, body, request, reply }) => {
      const versions = createVersions<UserSettings>(request, reply);
      return deps.db.transaction().execute(async (tx) => {
        const now = deps.clock.iso();
        await lockSettings(tx, caller.id, now);
        await versions.require(() => readAutomation(tx, caller.id));
        const stored = await tx
          .updateTable("user_settings")
          .set({
            ...body,
            updated_at: now,
            // Saving again while switched on keeps the time of switching on.
            auto_followups_since: body.auto_followups_enabled
              ? sql<string>`coalesce(user_settings.auto_followups_since, ${now}::timestamptz)`
              : null,
          })
          .where("user_id", "=", caller.id)
          .returning(fields)
          .executeTakeFirstOrThrow();
        versions.setETag(stored);
        return stored;
      });
    },
  });
}

const readAutomation = async (db: DbOrTx, userId: string): Promise<UserSettings> =>
  (await db.selectFrom("user_settings").select(fields).where("user_id", "=", userId).executeTakeFirst()) ?? defaults;

/** Locks the row of a user's settings; creates it if missing. */
async function lockSettings(tx: Tx, userId: string, at: string): Promise<{ dry_run: boolean }> {
  await tx
    .insertInto("user_settings")
    .values({ user_id: userId, updated_at: at })
    .onConflict((conflict) => conflict.column("user_id").doNothing())
    .execute();
  return tx
    .selectFrom("user_settings")
    .select("dry_run")
    .where("user_id", "=", userId)
    .forUpdate()
    .executeTakeFirstOrThrow();
}

const columns = Object.keys(Settings.entries) as (keyof Settings)[];
const PLANNED_BY = ["time_zone", "weekdays", "dry_run"] as const;

async function readSettings(db: DbOrTx, userId: string): Promise<Settings> {
  const row = await db.selectFrom("user_settings").select(columns).where("user_id", "=", userId).executeTakeFirst();
  if (row === undefined) return parse(Settings, {});
  return { ...row, opt_out_words: row.opt_out_words ?? [...OPT_OUT_WORDS] };
}

/** The version excludes what changes outside the settings form, so that such a change does not make the form stale. */
const versionsOfSettings = (request: FastifyRequest, reply: FastifyReply) =>
  createVersions<Settings>(request, reply, undefined, (stored) => ({
    ...stored,
    setup_dismissed: null,
    language: null,
  }));

function registerGeneralSettings(route: Route, deps: Deps): void {
  const shared = { tag: "Settings", gate: "subscribed", url: "/api/settings", answer: Settings } as const;
  route({
    ...shared,
    method: "GET",
    scope: "read",
    id: "readSettings",
    summary: "Read the settings for automation and conversations",
    handler: async ({ caller, request, reply }) => {
      const stored = await readSettings(deps.db, caller.id);
      versionsOfSettings(request, reply).setETag(stored);
      return stored;
    },
  });
  route({
    ...shared,
    method: "PATCH",
    scope: "write",
    id: "changeSettings",
    summary: "Change the given settings",
    takesVersion: true,
    body: SettingsPatch,
    handler: ({ caller, body, request, reply }) => {
      const versions = versionsOfSettings(request, reply);
      return deps.db.transaction().execute(async (tx) => {
        const read = () => readSettings(tx, caller.id);
        if (Object.keys(body).length > 0)
          await changeSettings(tx, deps, { userId: caller.id, patch: body, check: () => versions.require(read) });
        const stored = await read();
        versions.setETag(stored);
        return stored;
      });
    },
  });
}

/** @param check runs while the settings row is locked */
async function changeSettings(
  tx: Tx,
  deps: Deps,
  { userId, patch, check }: { userId: string; patch: SettingsPatch; check: () => Promise<void> },
): Promise<void> {
  const updated_at = deps.clock.iso();
  const before = await lockSettings(tx, userId, updated_at);
  await check();
  const isDryRunOver = before.dry_run && patch.dry_run === false;
  await tx
    .updateTable("user_settings")
    .set({ ...patch, updated_at, ...(isDryRunOver ? { dry_run_ended_at: updated_at } : {}) })
    .where("user_id", "=", userId)
    .execute();
  // Steps that the dry run decided become candidates again.
  if (isDryRunOver)
    await sql`insert into stale_plans (stage_id) select distinct stage_id from followups where owner_id = ${userId}::uuid and stage_id is not null
      on conflict (stage_id) do update set after = null`.execute(tx);
  // Receipts that were not sent while it was on are dropped.
  if (patch.read_receipts === false)
    await tx
      .updateTable("leads")
      .set({ receipt_message_id: null })
      .where("owner_id", "=", userId)
      .where("receipt_message_id", "is not", null)
      .execute();
  if (PLANNED_BY.some((name) => patch[name] !== undefined))
    await publishEvent(deps.bus, userId, "lead.changed", {}, tx);
}

/** The input of `hoursOf`; all null if the owner has no settings. */
export type HoursRow = {
  start_hour: number | null;
  end_hour: number | null;
  time_zone: string | null;
  weekdays: number[] | null;
};

/** The columns of `user_settings`, under an alias, that define an owner's allowed hours. */
export const hoursColumns = (alias: string): RawBuilder<unknown> =>
  sql.raw(
    `${alias}.auto_followup_start_hour as start_hour, ${alias}.auto_followup_end_hour as end_hour, ${alias}.time_zone, ${alias}.weekdays`,
  );

/** Returns the hours within which an owner's automation may send. */
export const hoursOf = (row: HoursRow): AllowedHours => ({
  startHour: row.start_hour ?? WINDOW_DEFAULT_START_HOUR,
  endHour: row.end_hour ?? WINDOW_DEFAULT_END_HOUR,
  zone: row.time_zone,
  weekdays: row.weekdays,
});
