import { sql, type RawBuilder } from "kysely";
import { WINDOW_DEFAULT_END_HOUR, WINDOW_DEFAULT_START_HOUR } from "../../domain/limits.ts";
import type { AllowedHours } from "../../domain/schedule.ts";

/** What `hoursOf` reads; all null where an owner has no settings. */
export type HoursRow = {
  start_hour: number | null;
  end_hour: number | null;
  time_zone: string | null;
  weekdays: number[] | null;
};

/** The columns of `user_settings`, under an alias of the statement, that make an owner's allowed hours. */
export const hoursColumns = (alias: string): RawBuilder<unknown> =>
  sql.raw(
    `${alias}.auto_followup_start_hour as start_hour, ${alias}.auto_followup_end_hour as end_hour, ${alias}.time_zone, ${alias}.weekdays`,
  );

/** The hours between which an owner's automation may write. */
export const hoursOf = (row: HoursRow): AllowedHours => ({
  startHour: row.start_hour ?? WINDOW_DEFAULT_START_HOUR,
  endHour: row.end_hour ?? WINDOW_DEFAULT_END_HOUR,
  zone: row.time_zone,
  weekdays: row.weekdays,
});
