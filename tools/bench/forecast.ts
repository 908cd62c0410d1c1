import type { Pool } from "../../server/db/index.ts";
import { round, timed } from "./measure.ts";

/** The number of the owner's leads with a step due within the next day. */
const DUE = 2_000;

/** Gives an owner of 100,000 leads three follow-ups per stage. Some of the leads have a step due within the next day. */
export async function writeSteps(pool: Pool, ownerId: string): Promise<void> {
  await pool.query(
    `insert into user_settings (user_id, auto_followups_enabled, auto_followup_start_hour, auto_followup_end_hour, auto_followups_since)
    values ($1, true, 9, 22, now()) on conflict (user_id) do update set auto_followups_enabled = true, auto_followups_since = now()`,
    [ownerId],
  );
  for (let part = 0; part < 10; part += 1)
    await pool.query(
      `update leads set stage_entered_at = case when telegram_user_id % (100000 / ${DUE}) = 0
          then now() - telegram_user_id / 100000.0 * interval '23 hours' else now() - interval '60 days' end,
        followup_order_sent = case when telegram_user_id % 3 = 0 and telegram_user_id % (100000 / ${DUE}) <> 0 then 3 else 0 end,
        last_inbound_at = now() - interval '90 days', last_message_at = now() - interval '9 days'
      where owner_id = $1 and telegram_user_id % 10 = ${part}`,
      [ownerId],
    );
  await pool.query(
    `insert into followups (owner_id, stage_id, message, followup_order, delay_hours)
    select $1, id, 'Hello {first_name}, step ' || n, n, 24 from stages, generate_series(0, 2) n where owner_id = $1`,
    [ownerId],
  );
  await pool.query("vacuum analyze leads");
}

/** @param get requests an address of the product and reads the whole response */
export async function benchForecast(
  get: (address: string) => Promise<{ total?: number }>,
): Promise<Record<string, number>> {
  // The first request creates the candidates of the new steps.
  for (let tries = 0, total = 0; total < DUE / 2; tries += 1) {
    if (tries === 200) throw new Error("The forecast stays empty. Is the account connected?");
    total = (await get("/api/forecast?hours=24")).total ?? 0;
  }
  const p50 = async (address: string) => round(await timed(30, () => get(address)));
  return {
    "forecast of 24 hours (budget 50)": await p50("/api/forecast?hours=24"),
    "forecast of 168 hours": await p50("/api/forecast?hours=168"),
    "messages forecast in 24 hours": (await get("/api/forecast?hours=24")).total ?? 0,
  };
}
