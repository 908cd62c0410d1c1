import { sql, type RawBuilder } from "kysely";
import { PRIORITY } from "../../domain/send-pace.ts";
import type { Deps } from "../core/deps.ts";
import { HOT_STATEMENT, type Tx } from "../db/index.ts";
import type { OutboxState } from "../db/tables/outbox.ts";
import { nameOf, randomIdOf, sqlNameOf } from "./names.ts";

type Step = { leadId: string; followupId: string; epoch: number };

/** A message to send. Times are ISO; without `notBefore` it is due at once. `byKey` names the API key that caused it. */
export type Outgoing = { ownerId: string; notBefore?: string; byKey?: string | null } & (
  | { kind: "reply"; leadId: string; body: string; mediaId: string | null; request: string; expiresAt?: string }
  /** `request`: the caller's idempotency key, or the number of earlier attempts of the step */
  | ({ kind: "manual"; body: string; mediaId: string | null; expiresAt: string; request: string | number } & Step)
  /** its content is taken from the step at its first claim; `name` is `sqlNameOf.followup`'s, `randomId` the `randomIdOf` it */
  | ({ kind: "followup"; name: string; randomId: string; isConfirmed: boolean } & Step)
  | {
      kind: "reminder";
      reminderId: string;
      lead: { id: string; epoch: number } | null;
      run: string;
      channel: string;
      body: string;
      expiresAt: string;
    }
);

/** A row of the outbox. `isNew` is false when a row of the same name existed. */
export type Enqueued = { id: string; state: OutboxState; reason: string | null; isNew: boolean };

type EnqueueDeps = Pick<Deps, "bus" | "clock">;

/**
 * Adds messages to the outbox in order, in the caller's transaction, and wakes the senders. Skips messages whose name exists, and steps that
 * are queued or were sent in the same stage entry.
 * @param areNew no other process adds them at the same time, which saves three lookups per row
 * @returns the ids of the new rows
 * @throws Postgres' unique_violation (23505) when another process did add one
 */
export async function enqueue(
  tx: Tx,
  deps: EnqueueDeps,
  messages: readonly Outgoing[],
  { areNew = false } = {},
): Promise<string[]> {
  if (messages.length === 0) return [];
  const now = deps.clock.iso();
  const { rows } = await sql<{ id: string }>`${sql.raw(HOT_STATEMENT)}
    insert into outbox (owner_id, kind, priority, dedupe_key, random_id, lead_id, followup_id, epoch, reminder_id, channel, body, media_id,
      is_confirmed, by_key, not_before, expires_at, created_at)
    select m.owner_id, m.kind, m.priority, m.name, r.id, m.lead_id, m.followup_id, m.epoch, m.reminder_id, m.channel,
      m.body, m.media_id, m.is_confirmed, m.by_key, m.not_before, m.expires_at, ${now}::timestamptz
    from json_to_recordset(${JSON.stringify(messages.map((message, place) => Object.assign(rowOf(message, now), { place })))}::text::json) as m(
      place int, owner_id uuid, kind text, priority int, name text, random_id bigint, lead_id uuid, followup_id uuid, epoch int, reminder_id uuid, channel text,
      body text, media_id uuid, is_confirmed boolean, by_key text, not_before timestamptz, expires_at timestamptz)
    cross join lateral (select coalesce(m.random_id, ${randomIdOf(sql`m.name`)}) as id) r
    where m.kind not in ('reply', 'manual') or not exists (${inLedger(sql`r.id`, sql`m.owner_id`)})
    order by m.place
    ${areNew ? sql`` : sql`on conflict do nothing`} returning id`.execute(tx);
  const owners = new Set(messages.map((message) => message.ownerId));
  await deps.bus.publishAll(
    "outbox.ready",
    [...owners].map((ownerId) => ({ owner_id: ownerId })),
    tx,
  );
  return rows.map(({ id }) => id);
}

/**
 * Adds one message to the outbox. The same request again returns the first row.
 * @throws Postgres' unique_violation (23505) when another path queued its step at the same time
 */
export async function enqueueOne(tx: Tx, deps: EnqueueDeps, message: Outgoing): Promise<Enqueued> {
  const [id] = await enqueue(tx, deps, [message]);
  const name = rowOf(message, deps.clock.iso()).name;
  const row = await findNamed(tx, message.ownerId, name);
  if (row === null) throw Object.assign(new Error("The step is already queued."), { code: "23505" });
  return { ...row, isNew: id !== undefined };
}

/** Returns the message that sent a lead's step under this idempotency key, however long ago; null for a new key. */
export const findRequested = (
  tx: Tx,
  { ownerId, leadId, key }: { ownerId: string; leadId: string; key: string },
): Promise<Omit<Enqueued, "isNew"> | null> => findNamed(tx, ownerId, nameOf.request(leadId, key));

/** Finds a row by its message's name; names with an idempotency key are also looked up in the ledger. */
async function findNamed(tx: Tx, ownerId: string, name: string): Promise<Omit<Enqueued, "isNew"> | null> {
  const { rows } = await sql<Omit<Enqueued, "isNew">>`
    select id, state, reason from outbox where dedupe_key = ${name} and owner_id = ${ownerId}::uuid
    union all (${inLedger(randomIdOf(sql`${name}::text`), sql`${ownerId}::uuid`, sql`id, state, reason`)})
    limit 1`.execute(tx);
  return rows[0] ?? null;
}

/** The ledger stores a hash of the name, unique among an owner's messages. A cancelled manual send frees its name. */
const inLedger = (randomId: RawBuilder<string>, ownerId: RawBuilder<unknown>, columns: RawBuilder<unknown> = sql``) =>
  sql`select ${columns} from ledger g where g.random_id = ${randomId} and g.kind in ('reply', 'manual')
    and (g.kind = 'reply' or g.state <> 'cancelled') and g.owner_id = ${ownerId}`;

/**
 * Adds a job's targets to the outbox by one statement.
 * @param leads selects `id` of every lead to write to, in the order of sending
 * @returns how many there are
 */
export async function enqueueTargets(
  tx: Tx,
  deps: EnqueueDeps,
  job: { id: string; ownerId: string; leads: RawBuilder<{ id: string }>; byKey: string | null },
): Promise<number> {
  const now = deps.clock.iso();
  const { numAffectedRows } = await sql`
    insert into outbox (owner_id, kind, priority, dedupe_key, random_id, lead_id, job_id, by_key, not_before, created_at)
    select ${job.ownerId}::uuid, 'bulk', ${PRIORITY.bulk}, l.name, ${randomIdOf(sql`l.name`)}, l.id, ${job.id}::uuid, ${job.byKey}::text,
      ${now}::timestamptz, ${now}::timestamptz
    from (select id, ${sqlNameOf.bulk(sql`${job.id}::text`, sql`id`)} as name from (${job.leads}) t) l`.execute(tx);
  await wakeSender(deps.bus, job.ownerId, tx);
  return Number(numAffectedRows ?? 0);
}

function rowOf(message: Outgoing, now: string): { name: string; [column: string]: unknown } {
  const shared = {
    owner_id: message.ownerId,
    kind: message.kind,
    priority: PRIORITY[message.kind],
    is_confirmed: false,
    by_key: message.byKey ?? null,
    not_before: message.notBefore ?? now,
  };
  if (message.kind === "reply") {
    const { leadId, body, mediaId, request, expiresAt } = message;
    const name = nameOf.reply(leadId, request);
    return { ...shared, name, lead_id: leadId, body, media_id: mediaId, expires_at: expiresAt };
  }
  if (message.kind === "manual") {
    const { leadId, body, mediaId, request, expiresAt } = message;
    const name = typeof request === "number" ? nameOf.click(message, request) : nameOf.request(leadId, request);
    return { ...shared, name, ...stepOf(message), body, media_id: mediaId, expires_at: expiresAt };
  }
  if (message.kind === "followup")
    return {
      ...shared,
      name: message.name,
      random_id: message.randomId,
      ...stepOf(message),
      is_confirmed: message.isConfirmed,
    };
  const { reminderId, lead, run, channel, body, expiresAt } = message;
  const name = lead === null ? nameOf.digest(reminderId, run) : nameOf.reminder(reminderId, lead.id, lead.epoch);
  return {
    ...shared,
    name,
    lead_id: lead?.id,
    epoch: lead?.epoch,
    reminder_id: reminderId,
    channel,
    body,
    expires_at: expiresAt,
  };
}

const stepOf = ({ leadId, followupId, epoch }: Step) => ({ lead_id: leadId, followup_id: followupId, epoch });

/** Wakes the sender that holds the owner's account once the transaction commits. */
export const wakeSender = (bus: Deps["bus"], ownerId: string, tx: Tx): Promise<void> =>
  bus.publish("outbox.ready", { owner_id: ownerId }, tx);
