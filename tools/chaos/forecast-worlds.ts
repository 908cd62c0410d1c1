import { sql } from "kysely";
import { createChannel } from "../../sandbox/telegram/controls/accounts.ts";
import { receiveMessage } from "../../sandbox/telegram/controls/messages.ts";
import type { runNetwork } from "../../sandbox/telegram/network.ts";
import { createBulkJob } from "../../server/bulk/repository.ts";
import type { Deps } from "../../server/core/deps.ts";
import type { WrittenAccount } from "../bench/scale/installation.ts";

export const HOUR_MS = 3_600_000;
const ZONES = ["Europe/Berlin", "America/New_York", "Asia/Kolkata", "Pacific/Auckland", "America/Sao_Paulo"];
const CHANNEL = "forecast_worlds";

type Network = Awaited<ReturnType<typeof runNetwork>>;
export type Dice = {
  chance(share: number): boolean;
  /** returns a whole number from 0 to `most` */
  upTo(most: number): number;
  oneOf<T>(choices: readonly [T, ...T[]]): T;
};

export function diceOf(random: () => number): Dice {
  const upTo = (most: number) => Math.floor(random() * (most + 1));
  return {
    chance: (share) => random() < share,
    upTo,
    oneOf: (choices) => choices[upTo(choices.length - 1)] ?? choices[0],
  };
}

/** The generated state of one seller: leads by Telegram id, and the texts that identify what was sent. */
export type World = { account: WrittenAccount; leadOf: Map<number, string>; description: string };

export const openChannel = (network: Network) =>
  network.world.store.transaction(() =>
    createChannel(network.world, { username: CHANNEL, title: "Worlds", kind: "supergroup" }),
  );

/** Sends messages from new people to the account; the network delivers them as usual. @returns the people's ids */
export function meetPeople(network: Network, account: WrittenAccount, count: number): number[] {
  return Array.from(
    { length: count },
    (_, index) =>
      network.world.store.transaction(() =>
        receiveMessage(network.world, account.phone, { from: { first_name: `Person ${index}` }, text: "hello" }),
      ).user_id,
  );
}

/** Puts an account and its leads into a generated state, as it might be at `now`. */
export async function makeWorld(deps: Deps, account: WrittenAccount, dice: Dice, now: number): Promise<World> {
  const { db } = deps;
  const owner_id = account.userId;
  const ago = (hours: number) => new Date(now - hours * HOUR_MS - dice.upTo(3_599) * 1_000).toISOString();
  const ahead = (hours: number) => new Date(now + hours * HOUR_MS + dice.upTo(3_599_000)).toISOString();
  const isWholeDay = dice.chance(0.3);
  const startHour = dice.upTo(23);
  await db
    .insertInto("user_settings")
    .values({
      user_id: owner_id,
      auto_followups_enabled: dice.chance(0.92),
      auto_followup_start_hour: startHour,
      auto_followup_end_hour: isWholeDay ? startHour : (startHour + 1 + dice.upTo(21)) % 24,
      auto_followups_since: ago(dice.oneOf([1, 30, 200])),
      dry_run: dice.chance(0.04),
      dry_run_ended_at: dice.chance(0.1) ? ago(dice.upTo(12)) : null,
      time_zone: dice.chance(0.5) ? dice.oneOf(ZONES as [string]) : null,
      weekdays: dice.chance(0.7) ? [1, 2, 3, 4, 5, 6, 7] : [2, 3, dice.oneOf([4, 7])],
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await db
    .updateTable("telegram_sessions")
    .set({
      daily_cap: dice.oneOf([1, 2, 5, 200]),
      paused_until: dice.chance(0.12) ? ahead(dice.upTo(9)) : null,
      ...(dice.chance(0.05) ? { stopped_at: ago(2), stopped_reason: "limited" } : {}),
    })
    .where("id", "=", account.accountId)
    .execute();
  if (dice.chance(0.08))
    await db
      .updateTable("subscriptions")
      .set({ expires_at: ahead(dice.upTo(20)) })
      .where("user_id", "=", owner_id)
      .execute();

  const stageIds: string[] = [];
  for (let order = 0; order <= dice.upTo(2); order += 1)
    stageIds.push(await makeStage(deps, owner_id, dice, order, ago));
  const leads = await db
    .selectFrom("leads")
    .select(["id", "telegram_user_id"])
    .where("owner_id", "=", owner_id)
    .orderBy("telegram_user_id")
    .execute();
  for (const { id } of leads)
    await placeLead(deps, id, stageIds[dice.upTo(stageIds.length - 1)] ?? "", dice, { ago, ahead });
  if (dice.chance(0.35)) await makeReminder(deps, owner_id, stageIds[0] ?? "", dice);
  if (dice.chance(0.3)) await makeJob(deps, owner_id, dice, ahead);
  if (dice.chance(0.4))
    await sql`insert into send_pace (owner_id, last_started_at, last_gap_ms, cold_day, cold_count)
      values (${owner_id}::uuid, ${new Date(now - dice.upTo(3_000)).toISOString()}::timestamptz, ${dice.upTo(9_000)},
        ${new Date(now).toISOString().slice(0, 10)}::date, ${dice.upTo(3)})`.execute(db);
  const describe = { leads: leads.length, stages: stageIds.length, startHour, isWholeDay };
  return {
    account,
    leadOf: new Map(leads.map((lead) => [Number(lead.telegram_user_id), lead.id])),
    description: JSON.stringify(describe),
  };
}

async function makeStage(
  { db }: Deps,
  owner_id: string,
  dice: Dice,
  order: number,
  ago: (hours: number) => string,
): Promise<string> {
  const { id } = await db
    .insertInto("stages")
    .values({ owner_id, name: `Generated ${order}`, order: order + 2 })
    .returning("id")
    .executeTakeFirstOrThrow();
  const steps = dice.upTo(4);
  for (let place = 0; place < steps; place += 1) {
    await db
      .insertInto("followups")
      .values({
        owner_id,
        stage_id: id,
        message: `stage ${order} step ${place}`,
        followup_order: place,
        delay_hours: 1 + dice.upTo(dice.oneOf([3, 12, 40])),
        media_id: null,
        created_at: ago(dice.oneOf([300, 20])),
      })
      .execute();
  }
  return id;
}

async function placeLead(
  { db }: Deps,
  id: string,
  stage_id: string,
  dice: Dice,
  { ago, ahead }: { ago: (hours: number) => string; ahead: (hours: number) => string },
): Promise<void> {
  const entered = 6 + dice.upTo(60);
  const sent = dice.chance(0.4) ? dice.upTo(entered) : null;
  const replied = dice.chance(0.2) ? dice.upTo(entered) : null;
  const isCold = dice.chance(0.4);
  const enteredAt = ago(entered);
  const sentAt = sent === null ? null : ago(sent);
  await db
    .updateTable("leads")
    .set({
      stage_id,
      stage_entered_at: enteredAt,
      stage_entry_epoch: 1 + dice.upTo(2),
      followup_order_sent: sent === null ? 0 : dice.upTo(2),
      last_followup_sent_at: sentAt,
      last_manual_at: dice.chance(0.15) ? ago(dice.upTo(20)) : null,
      last_inbound_at: replied === null ? enteredAt : ago(replied),
      last_outbound_at: sentAt,
      last_message_at: isCold ? ago(24 * 30 - 12 + dice.upTo(40)) : enteredAt,
      unreachable_reason: dice.chance(0.07) ? "USER_IS_BLOCKED" : null,
      opted_out_at: dice.chance(0.06) ? ago(3) : null,
      ...(dice.chance(0.12) ? { held_at: ago(3), held_until: dice.chance(0.7) ? ahead(dice.upTo(20)) : null } : {}),
    })
    .where("id", "=", id)
    .execute();
}

async function makeReminder({ db }: Deps, owner_id: string, stage_id: string, dice: Dice): Promise<void> {
  await db
    .insertInto("reminders")
    .values({
      owner_id,
      stage: "Generated 0",
      stage_id,
      delay_days: 1 + dice.upTo(1),
      channel_id: `@${CHANNEL}`,
      template: "{name} waits since {days} days.",
      disabled_reason: null,
      verified_at: new Date().toISOString(),
      deleted_at: null,
      told_until: null,
    })
    .execute();
}

async function makeJob(deps: Deps, ownerId: string, dice: Dice, ahead: (hours: number) => string): Promise<void> {
  await deps.db
    .updateTable("telegram_sessions")
    .set({ stopped_at: null, stopped_reason: null })
    .where("user_id", "=", ownerId)
    .execute();
  const jobId = await createBulkJob(deps, ownerId, {
    message: "to all",
    file: null,
    stageId: null,
    throttleSeconds: dice.oneOf([0.1, 0.3, 10]),
  });
  if (dice.chance(0.3))
    await deps.db
      .updateTable("bulk_jobs")
      .set({ paused_until: ahead(dice.upTo(6)) })
      .where("id", "=", jobId)
      .execute();
}
