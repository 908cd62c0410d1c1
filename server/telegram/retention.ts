import { storedReason } from "../../domain/stored-reasons.ts";
import { sql } from "kysely";
import type { Deps, Running } from "../core/deps.ts";
import { endSession } from "./sessions.ts";

const LOG_OUT_AFTER_DAYS = 30;
const EVERY_TEN_MINUTES = "*/10 * * * *";
/**
 * Applies the end of subscriptions: records when access ended (messages are received for seven more days, then the account is no longer
 * held), and logs out of Telegram thirty days later.
 * @param userId only this owner; otherwise all
 */
export async function applyRetention(deps: Pick<Deps, "db" | "bus" | "clock">, userId?: string): Promise<void> {
  const { db, clock } = deps;
  const now = clock.iso();
  await sql`
    update public.telegram_sessions t set access_ended_at = a.ended_at
    from (
      select c.id, case when not public.has_access(c.user_id, ${now}::timestamptz) then coalesce(c.access_ended_at, least(${now}::timestamptz,
        coalesce(s.expires_at, case when s.cancel_at_period_end then s.current_period_end end, s.canceled_at, s.current_period_end)))
        end as ended_at
      from public.telegram_sessions c left join public.subscriptions s on s.user_id = c.user_id
      where c.state = 'connected' ${userId === undefined ? sql`` : sql`and c.user_id = ${userId}::uuid`}
    ) a
    where t.id = a.id and t.access_ended_at is distinct from a.ended_at`.execute(db);
  const over = await db
    .selectFrom("telegram_sessions")
    .select("id")
    .where("state", "=", "connected")
    .where("access_ended_at", "<=", new Date(clock.now() - LOG_OUT_AFTER_DAYS * 86_400_000).toISOString())
    .$if(userId !== undefined, (query) => query.where("user_id", "=", userId ?? ""))
    .execute();
  for (const { id } of over)
    await endSession(deps, { accountId: id, state: "ended", reason: storedReason("session_without_access") });
}

/** Runs every ten minutes over all workers, and at once when the clock was moved or an owner's subscription changed. */
export function startRetention(deps: Pick<Deps, "db" | "bus" | "clock" | "jobs" | "logger" | "work">): Running {
  let last = Promise.resolve();
  const apply = (userId?: string) => {
    const applied = last
      .then(() => applyRetention(deps, userId))
      .catch((error: unknown) => deps.logger.error({ err: error }, "applying telegram retention failed"));
    last = deps.work.track("telegram retention", applied);
  };
  deps.jobs.schedule("telegram.retention", EVERY_TEN_MINUTES, () => applyRetention(deps));
  const unsubscribe = [
    deps.bus.on("clock.moved", () => apply()),
    deps.bus.on("subscription.changed", ({ user_id: userId }) => apply(userId)),
  ];
  return {
    async stop() {
      for (const off of unsubscribe) off();
      await last;
    },
  };
}
