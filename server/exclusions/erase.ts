import { sql, type RawBuilder } from "kysely";
import { publishEvent } from "../core/bus.ts";
import { nextTurn } from "../core/clock.ts";
import type { Deps, Running } from "../core/deps.ts";
import { onTopic, runWorker } from "../core/worker.ts";
import type { DbOrTx, Tx } from "../db/index.ts";
import { eraseFromDigests } from "../outbox/digest.ts";
import { eraseSends } from "../outbox/erase.ts";
import { eraseWebhookEvents } from "../webhooks/tidy.ts";

type EraseDeps = Pick<Deps, "db" | "bus" | "clock">;

const PEOPLE_AT_ONCE = 50;
const MESSAGES_AT_ONCE = 2_000;
/** Erasing waits this long for a message that is being sent; by then its sender is gone. */
const SENDING_MOST_SECONDS = 600;
/** A lost notification delays the erasure by at most this long. */
const IDLE_MS = 60_000;

/**
 * Erases the data of excluded people who can no longer be restored, in small transactions. Safe to run at any time and in several
 * processes; the next run continues after a stop.
 * @param of.which a condition over exclusions `e`
 */
export async function eraseExcluded(
  deps: EraseDeps,
  { which = sql<boolean>`true`, isOver = () => false }: { which?: RawBuilder<boolean>; isOver?: () => boolean } = {},
): Promise<void> {
  let isLeft = true;
  while (isLeft && !isOver()) {
    isLeft = await deps.db.transaction().execute((tx) => eraseSome(tx, deps, which));
    await nextTurn();
  }
}

/** Returns whether there may be more to erase. */
async function eraseSome(tx: Tx, deps: EraseDeps, which: RawBuilder<boolean>): Promise<boolean> {
  const at = deps.clock.iso();
  const { rows } = await sql<{
    owner_id: string;
    telegram_user_id: string;
    username: string | null;
    lead_id: string;
  }>`
    select e.owner_id, e.telegram_user_id, e.username, e.lead_id from exclusions e
    where e.lead_id is not null and e.undo_until <= ${at}::timestamptz and ${which}
      and not exists (select from outbox o where o.lead_id = e.lead_id and o.state = 'sending'
        and e.excluded_at > ${at}::timestamptz - make_interval(secs => ${SENDING_MOST_SECONDS}))
    order by e.owner_id, e.telegram_user_id limit ${PEOPLE_AT_ONCE} for update skip locked`.execute(tx);
  const ownerId = rows[0]?.owner_id;
  if (ownerId === undefined) return false;
  const people = rows.filter((row) => row.owner_id === ownerId);
  const ids = people.map((person) => person.telegram_user_id);
  if ((await eraseMessages(tx, ownerId, ids)) === MESSAGES_AT_ONCE) return true;
  await eraseSends(tx, deps, { ownerId, leadIds: people.map((person) => person.lead_id) });
  await eraseWebhookEvents(tx, { ownerId, leadIds: people.map((person) => person.lead_id) });
  await eraseFromDigests(tx, ownerId, people);
  for (const table of ["telegram_peers", "telegram_peer_references", "contact_checks"] as const)
    await sql`delete from ${sql.table(table)} where peer_id = any(${ids}::bigint[])
      and account_id in (select id from telegram_sessions where user_id = ${ownerId}::uuid)`.execute(tx);
  await sql`update exclusions set lead_id = null, kept = null, undo_until = null, batch_id = null
    where owner_id = ${ownerId}::uuid and telegram_user_id = any(${ids}::bigint[])`.execute(tx);
  await publishEvent(deps.bus, ownerId, "exclusions.changed", {}, tx);
  return true;
}

/** Deletes messages and the stored responses of idempotency keys that contain them. @returns how many messages */
async function eraseMessages(tx: Tx, ownerId: string, people: readonly string[]): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    delete from messages where id = any(array(select id from messages
      where owner_id = ${ownerId}::uuid and peer_user_id = any(${people}::bigint[]) limit ${MESSAGES_AT_ONCE}))
    returning id::text`.execute(tx);
  if (rows.length > 0)
    await sql`delete from request_keys where owner_id = ${ownerId}::uuid and answer ? 'direction'
      and answer ->> 'id' = any(${rows.map(({ id }) => id)}::text[])`.execute(tx);
  return rows.length;
}

const nextEnd = async (db: DbOrTx): Promise<number | null> => {
  const { rows } = await sql<{ at: string | null }>`
    select min(undo_until) as at from exclusions where lead_id is not null`.execute(db);
  const at = rows[0]?.at ?? null;
  return at === null ? null : Date.parse(at);
};

/** Erases excluded people when their 30 s for undo have passed. */
export function startEraser(deps: Deps): Running {
  const logger = deps.logger.child({ part: "exclusions" });
  return runWorker(deps, {
    name: "erase excluded people",
    wakeOn: onTopic(deps, "exclusion.created"),
    idleMs: IDLE_MS,
    onFailure: (error) => logger.warn({ err: error }, "erasing excluded people failed, retrying"),
    async work({ isOver }) {
      await eraseExcluded(deps, { isOver });
      const next = await nextEnd(deps.db);
      return next === null ? null : Math.max(next, deps.clock.now() + 1_000);
    },
  });
}
