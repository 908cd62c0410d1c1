import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { reminderExpiry } from "../../domain/reminder-expiry.ts";
import { DIGEST_OVER, fillReminder, writeDigest, type StuckLead } from "../../domain/reminder-text.ts";
import { isWithinHours, nextOpening } from "../../domain/schedule.ts";
import { hoursColumns, hoursOf, type HoursRow } from "../settings/index.ts";
import type { Deps } from "../core/deps.ts";
import type { DbOrTx } from "../db/index.ts";
import { enqueue } from "../outbox/enqueue.ts";
import { nameOf } from "../outbox/names.ts";
import { dueAt, disableRemindersWithoutStage } from "./repository.ts";

type PlanDeps = Pick<Deps, "db" | "bus" | "clock" | "languages">;
type Rule = HoursRow & {
  id: string;
  owner_id: string;
  stage: string;
  channel_id: string;
  template: string;
  language: string | null;
  is_connected: boolean;
  returned_at: string | null;
};
type Stuck = StuckLead & { id: string; epoch: number; due_at: number };

const LEADS_PER_RUN = 5_000;
const EXPIRED_PER_BATCH = 1_000;

/**
 * Plans a message about each stuck lead: once per rule, lead and stage entry, in a digest when there are many. What cannot be sent in time
 * expires. A rule whose stage was deleted is disabled.
 * @returns how many messages it planned
 * @throws the first failure, after all other rules are planned
 */
export async function planReminders(deps: PlanDeps): Promise<number> {
  await disableRemindersWithoutStage(deps.db);
  const { rows: rules } = await sql<Rule>`
    select r.id, r.owner_id, s.name as stage, r.channel_id, r.template, r.returned_at, u.language,
      exists (select from telegram_sessions t where t.user_id = r.owner_id and t.state = 'connected') as is_connected,
      ${hoursColumns("u")}
    from reminders r join stages s on s.id = r.stage_id left join user_settings u on u.user_id = r.owner_id
    where r.is_enabled and r.deleted_at is null and public.has_access(r.owner_id, ${deps.clock.iso()}::timestamptz) and (r.told_until is null or exists (
      select from leads l where l.owner_id = r.owner_id and l.stage_id = r.stage_id
        and l.stage_entered_at <= ${deps.clock.iso()}::timestamptz - r.delay_days * interval '1 day' and l.stage_entered_at > r.told_until
        and not exists (select from reminder_marks m where m.reminder_id = r.id and m.lead_id = l.id and m.epoch = l.stage_entry_epoch)))`.execute(
    deps.db,
  );
  let planned = 0;
  const failures: unknown[] = [];
  for (const rule of rules) {
    try {
      planned += await planRule(deps, rule);
    } catch (error) {
      failures.push(error);
    }
  }
  await expireReminders(deps);
  if (failures.length > 0) throw failures[0];
  return planned;
}

/** Cancels reminders that could not be sent in time. One that may have been delivered is still retried. */
async function expireReminders({ db, bus, clock }: PlanDeps): Promise<void> {
  const at = clock.iso();
  for (let count = EXPIRED_PER_BATCH; count === EXPIRED_PER_BATCH;) {
    count = await db.transaction().execute(async (tx) => {
      const { rows } = await sql<{ owner_id: string }>`
        update outbox set state = 'cancelled', reason = 'EXPIRED', settled_at = ${at}::timestamptz where id in (
          select id from outbox where kind = 'reminder' and state = 'pending' and expires_at <= ${at}::timestamptz and not is_uncertain
          order by expires_at limit ${EXPIRED_PER_BATCH} for update skip locked)
        returning owner_id`.execute(tx);
      for (const ownerId of new Set(rows.map((row) => row.owner_id)))
        await bus.publish("ledger.changed", { owner_id: ownerId }, tx);
      return rows.length;
    });
  }
}

function planRule(deps: PlanDeps, rule: Rule): Promise<number> {
  return deps.db.transaction().execute(async (tx) => {
    const now = deps.clock.now();
    const at = new Date(now).toISOString();
    // The mark makes a reminder unique; another process that marked the lead first sends it.
    const { rows: leads } = await sql<Stuck>`
      with stuck as (
        select l.id, l.name, l.username, l.telegram_user_id, l.stage_entry_epoch as epoch, l.stage_entered_at,
          floor(extract(epoch from ${at}::timestamptz - l.stage_entered_at) / 86400)::int as days,
          date_part('epoch', ${dueAt}) * 1000 as due_at
        from leads l join reminders r on r.id = ${rule.id}::uuid and r.is_enabled and r.deleted_at is null and l.stage_id = r.stage_id and l.owner_id = r.owner_id
        where l.stage_entered_at <= ${at}::timestamptz - r.delay_days * interval '1 day'
          and l.stage_entered_at > coalesce(r.told_until, '-infinity')
          and not exists (select from reminder_marks m where m.reminder_id = r.id and m.lead_id = l.id and m.epoch = l.stage_entry_epoch)
        order by l.stage_entered_at limit ${LEADS_PER_RUN}
      ), marked as (
        insert into reminder_marks (reminder_id, lead_id, epoch, at)
        select ${rule.id}::uuid, id, epoch, ${at}::timestamptz from stuck on conflict do nothing returning lead_id
      ), looked_up_to as (
        update reminders set told_until = case when (select count(*) from stuck) < ${LEADS_PER_RUN} then ${at}::timestamptz - delay_days * interval '1 day'
          else (select max(stage_entered_at) - interval '1 microsecond' from stuck) end
        where id = ${rule.id}::uuid and is_enabled and deleted_at is null
      )
      select s.id, s.name, s.username, s.telegram_user_id, s.epoch, s.days, s.due_at from stuck s join marked m on m.lead_id = s.id
      order by s.stage_entered_at, s.id`.execute(tx);
    if (leads.length === 0) return 0;
    const hours = hoursOf(rule);
    const returnedAt = rule.returned_at === null ? -Infinity : Date.parse(rule.returned_at);
    const isConnected = rule.is_connected;
    const timed = leads.map((lead) => ({
      lead,
      expiresAt: reminderExpiry({ dueAt: lead.due_at, now, isConnected, returnedAt, hours }),
    }));
    const write = deps.languages.writerFor(rule.language);
    const messages = [
      timed.filter(({ expiresAt }) => expiresAt <= now),
      timed.filter(({ expiresAt }) => expiresAt > now),
    ].flatMap((part) => messagesOf(rule, part, write));
    const notBefore = new Date(isWithinHours(now, hours) ? now : nextOpening(now, hours)).toISOString();
    await enqueue(
      tx,
      deps,
      messages.map(({ lead, run, body, expiresAt }) => ({
        kind: "reminder",
        ownerId: rule.owner_id,
        reminderId: rule.id,
        lead,
        run,
        channel: rule.channel_id,
        body,
        notBefore,
        expiresAt: new Date(expiresAt).toISOString(),
      })),
    );
    for (const { lead, ids, run } of messages)
      if (lead === null)
        await sql`update reminder_marks set digest = ${nameOf.digest(rule.id, run)}
          where reminder_id = ${rule.id}::uuid and at = ${at}::timestamptz and lead_id = any(${ids}::uuid[])`.execute(
          tx,
        );
    return messages.length;
  });
}

/** Returns one message per lead, or one digest for many, which expires with its last lead. */
function messagesOf(
  { stage, template }: Rule,
  timed: readonly { lead: Stuck; expiresAt: number }[],
  write: ReturnType<PlanDeps["languages"]["writerFor"]>,
): { lead: Stuck | null; ids: string[]; run: string; body: string; expiresAt: number }[] {
  // Part of a digest's name: two digests of one run are two messages.
  const run = randomUUID();
  if (timed.length <= DIGEST_OVER)
    return timed.map(({ lead, expiresAt }) => ({
      lead,
      ids: [lead.id],
      run,
      body: fillReminder(template, stage, lead, write),
      expiresAt,
    }));
  const body = writeDigest(
    stage,
    timed.map(({ lead }) => lead),
    write,
  );
  const ids = timed.map(({ lead }) => lead.id);
  return [
    { lead: null, ids, run, body, expiresAt: timed.reduce((last, { expiresAt }) => Math.max(last, expiresAt), 0) },
  ];
}

/**
 * Carries reminders over to the new epoch after an undone move, in the undo's transaction: sent reminders are not repeated, pending ones
 * are sent, and those withdrawn because the lead had moved are planned again.
 */
export async function carryReminderMarksOver(tx: DbOrTx, leadIds: readonly string[]): Promise<void> {
  // Every reminder leaves a mark; even for thousands of leads there are usually few or none.
  const { rows: marks } = await sql`select from reminder_marks where lead_id = any(${leadIds}::uuid[]) limit 1`.execute(
    tx,
  );
  if (marks.length === 0) return;
  await sql`insert into reminder_marks (reminder_id, lead_id, epoch, at, digest)
    select m.reminder_id, m.lead_id, l.stage_entry_epoch, m.at, m.digest from leads l join reminder_marks m on m.lead_id = l.id and m.epoch = l.stage_entry_epoch - 2
    where l.id = any(${leadIds}::uuid[]) and not exists (
      select from outbox o where o.lead_id = m.lead_id and o.kind = 'reminder' and o.reminder_id = m.reminder_id and o.epoch = m.epoch
        and o.state = 'cancelled' and o.reason = 'MOVED_ON')
    on conflict do nothing`.execute(tx);
  await sql`update outbox o set epoch = l.stage_entry_epoch from leads l
    where l.id = any(${leadIds}::uuid[]) and o.lead_id = l.id and o.kind = 'reminder' and o.epoch = l.stage_entry_epoch - 2 and o.state = 'pending'`.execute(
    tx,
  );
}
