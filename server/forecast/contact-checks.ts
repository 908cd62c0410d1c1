import { sql } from "kysely";
import type { LeadFilter } from "../../domain/lead-filter.ts";
import { classifySendError } from "../../domain/send-outcome.ts";
import type { Deps, Running } from "../core/deps.ts";
import { deleteInBatches } from "../db/index.ts";
import { leadConditions } from "../leads/filter.ts";
import type { SenderAccount } from "../outbox/port.ts";

/** How long Telegram's answer about a person is trusted. */
const BELIEVED_MS = 3_600_000;
/** The number of people that Telegram accepts per call. */
const BATCH = 100;
/** People checked per request; further ones are checked at the next request. */
const ASKED_MOST = 5_000;
const BETWEEN_CALLS_MS = 200;
const DEFAULT_WAIT_MS = 60_000;

type CheckDeps = Pick<Deps, "db" | "bus" | "clock" | "logger" | "work">;
type Wanted = { stageId: string | null; filter: LeadFilter | null; leadIds: readonly string[] | null };

/**
 * Asks Telegram which leads an account may write to, on request, while this process holds the account. The calls run in parallel to sends
 * and do not delay them. After an error there are no checks until the wait is over.
 */
export function startContactChecks(deps: CheckDeps, account: SenderAccount): Running {
  let wanted: Wanted | null = null;
  let running: Promise<void> | null = null;
  /** The end of the wait by product time and by steady time; the earlier one counts. */
  let [quietUntil, quietAtMost] = [0, 0];
  let isStopping = false;
  const isOver = () => isStopping || account.signal.aborted;
  const run = async () => {
    while (wanted !== null && !isOver()) {
      const whom = wanted;
      wanted = null;
      try {
        await checkContacts(deps, account, whom, isOver);
      } catch (error) {
        const outcome = classifySendError(error);
        wanted = null;
        const waitMs = outcome.kind === "wait" ? outcome.seconds * 1_000 : DEFAULT_WAIT_MS;
        quietUntil = deps.clock.now() + waitMs;
        quietAtMost = deps.clock.monotonic() + waitMs;
        deps.logger.warn({ err: error, account: account.accountId }, "checking who can be written to failed");
        return;
      }
    }
  };
  const off = deps.bus.on("contacts.wanted", ({ owner_id, stage_id, filter, lead_ids: leadIds = null }) => {
    const isQuiet = deps.clock.now() < quietUntil && deps.clock.monotonic() < quietAtMost;
    if (owner_id !== account.userId || isOver() || isQuiet) return;
    // Given leads arrive in several notifications.
    const before = leadIds === null ? null : (wanted?.leadIds ?? null);
    if (before !== null && before.length >= ASKED_MOST) return;
    wanted = { stageId: stage_id, filter, leadIds: leadIds && [...(before ?? []), ...leadIds] };
    running ??= deps.work.track("contact checks", run()).finally(() => (running = null));
  });
  return {
    async stop() {
      isStopping = true;
      off();
      await running;
    },
  };
}

/** Checks those first who would be written to first; skips those checked recently. */
async function checkContacts(
  deps: CheckDeps,
  account: SenderAccount,
  { stageId, filter, leadIds }: Wanted,
  isOver: () => boolean,
): Promise<void> {
  const matching = filter === null ? null : await leadConditions(deps.db, account.userId, filter);
  const { rows } = await sql<{ telegram_user_id: string }>`
    select l.telegram_user_id from leads l
    left join contact_checks c on c.account_id = ${account.accountId}::uuid and c.peer_id = l.telegram_user_id and ${isCheckFresh(deps.clock.now())}
    where l.owner_id = ${account.userId}::uuid ${stageId === null ? sql`` : sql`and l.stage_id = ${stageId}::uuid`}
      ${matching === null ? sql`` : sql`and l.id in (select leads.id from leads where ${matching})`}
      ${leadIds === null ? sql`` : sql`and l.id = any(${leadIds}::uuid[])`}
      and l.unreachable_reason is null and l.opted_out_at is null and c.at is null
    order by l.last_inbound_at desc nulls last, l.id limit ${ASKED_MOST}`.execute(deps.db);
  const ids = rows.map((row) => row.telegram_user_id);
  for (let first = 0; first < ids.length && !isOver(); first += BATCH) {
    if (first > 0) await deps.work.pauseFor(deps.clock.sleep(BETWEEN_CALLS_MS));
    const batch = ids.slice(first, first + BATCH);
    const requirements = await account.port.requirementsOf(batch);
    await sql`insert into contact_checks (account_id, peer_id, requirement, at)
      select ${account.accountId}::uuid, t.peer_id, t.requirement, ${deps.clock.iso()}::timestamptz
      from unnest(${batch}::bigint[], ${requirements}::text[]) as t(peer_id, requirement)
      on conflict (account_id, peer_id) do update set requirement = excluded.requirement, at = excluded.at`.execute(
      deps.db,
    );
    await deps.bus.publish("contacts.checked", { owner_id: account.userId });
  }
}

/** Answers before this time are checked again. */
const believedSince = (now: number): string => new Date(now - BELIEVED_MS).toISOString();

/** Whether the check of a lead, of rows `c` and `l`, is still valid. It is not once the lead has written since. */
export const isCheckFresh = (now: number) =>
  sql`c.at > ${believedSince(now)}::timestamptz and c.at >= coalesce(l.last_inbound_at, '-infinity')`;

/** Deletes expired checks, also because nothing may remain of a person who is no longer a lead. */
export async function forgetContactChecks({ db, clock }: Pick<Deps, "db" | "clock">): Promise<void> {
  await deleteInBatches(db, "contact_checks", sql`at <= ${believedSince(clock.now())}::timestamptz`);
}
