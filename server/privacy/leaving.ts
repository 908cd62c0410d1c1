import { sql } from "kysely";
import type { Credentials } from "../auth/index.ts";
import { systemClock } from "../core/clock.ts";
import type { Deps } from "../core/deps.ts";
import { LOG_OUT_WITHIN_MS, endConnected, isLoggingOut } from "../telegram/sessions.ts";
import { eraseParts, ACCOUNT_TABLES } from "./batches.ts";
import { eraseForgotten } from "./term.ts";

type ErasureDeps = Pick<Deps, "db" | "bus" | "clock" | "logger">;

export const ERASE_ACCOUNTS = "accounts.erase";
const RUN_MS = 45_000;

/**
 * Erases the remaining data of closed accounts, then the accounts. Safe to run at any time and in several processes.
 * @param of.userId only this account
 * @param of.forMs starts nothing after this time, so that a shutdown does not wait for a large account
 */
export async function finishErasures(
  deps: ErasureDeps,
  credentials: Pick<Credentials, "erase">,
  { userId, forMs = RUN_MS }: { userId?: string; forMs?: number } = {},
): Promise<void> {
  const until = systemClock.monotonic() + forMs;
  const isOver = () => systemClock.monotonic() >= until;
  const closed = await deps.db
    .selectFrom("account_erasures")
    .select(["user_id", "at"])
    .$if(userId !== undefined, (query) => query.where("user_id", "=", userId ?? ""))
    .orderBy("at")
    .execute();
  for (const { user_id: id, at } of closed) {
    try {
      // A login may have been stored while the account was closed, or the log-out may have failed.
      await endConnected(deps, id);
      const isMine = sql`select from account_erasures where user_id = ${id}::uuid for update skip locked`;
      if (await eraseParts(deps.db, { userId: id, parts: ACCOUNT_TABLES, canContinue: isMine, isOver })) {
        // Without its keys, a session would stay open at Telegram.
        if (deps.clock.now() - Date.parse(at) < LOG_OUT_WITHIN_MS && (await isLoggingOut(deps.db, id))) continue;
        await credentials.erase(id);
        await deps.db.deleteFrom("account_erasures").where("user_id", "=", id).execute();
      }
    } catch (error) {
      // A failure for one account must not block the others.
      deps.logger.error({ err: error, user: id }, "an account could not be erased, trying again in a minute");
    }
    if (isOver()) break;
  }
}

/**
 * Schedules the erasure every minute, over all workers, and once a day the erasure of data whose retention ended. Call it before the job
 * queue starts.
 */
export function scheduleErasures(
  deps: ErasureDeps & Pick<Deps, "config" | "jobs">,
  credentials: Pick<Credentials, "erase">,
): void {
  deps.jobs.schedule(ERASE_ACCOUNTS, "* * * * *", () => finishErasures(deps, credentials));
  deps.jobs.schedule("people.erase", "53 2 * * *", () => eraseForgotten(deps));
}
