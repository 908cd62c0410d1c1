import { sql } from "kysely";
import { classifySendError, isContentRefusal } from "../../domain/send-outcome.ts";
import { pollUntil } from "../core/poll-until.ts";
import type { Deps } from "../core/deps.ts";
import { notFound, refuse } from "../core/problem.ts";
import { fingerprintOf, releaseRequestKey, withIdempotencyKey } from "../core/request-keys.ts";
import { tryAgain, type Tx } from "../db/index.ts";
import { enqueueOne, findRequested } from "../outbox/enqueue.ts";
import { freedName, nameOf } from "../outbox/names.ts";

/** A manual send: `key` is the caller's idempotency key, `byKey` the name of the API key, both null without one. */
type Click = { ownerId: string; leadId: string; key: string | null; byKey: string | null };
type Row = { id: string; state: string; reason: string | null };

/** A second click within this time after the first result gets that result. */
const SAME_CLICK_MS = 10_000;
/** How long a click waits for its message: longer than the account's slowest interval, shorter than the request timeout. */
const ANSWER_WITHIN_MS = 25_000;
const POLL_MS = 500;

const notConnected = () => refuse(409, "not_connected", { reason: "send" });

/**
 * Sends a lead's next step manually through the outbox; resolves when Telegram has it. A repeated idempotency key gets the first result,
 * or sends if the first send was cancelled. Without a key, the same holds for a second click while the first is in progress, or within
 * ten seconds of its end.
 * @throws ProblemError 404, 409 no step left or not connected, 422 unreachable, 429 while Telegram makes the account wait, 503 when the
 * outcome is not known in time
 */
export function createManualSend(deps: Deps) {
  const request = ({ ownerId, leadId, key, byKey }: Click): Promise<Row> =>
    deps.db.transaction().execute((tx) => {
      const keyedRequest = { ownerId, key, fingerprint: fingerprintOf("followup", leadId), at: deps.clock.iso() };
      return withIdempotencyKey(tx, keyedRequest, () => requestStep(tx, { ownerId, leadId, key, byKey }));
    });

  const requestStep = async (tx: Tx, { ownerId, leadId, key, byKey }: Click): Promise<Row> => {
    const lead = await tx
      .selectFrom("leads")
      .select(["stage_id", "stage_entry_epoch", "followup_order_sent", "skipped_steps", "skipped_epoch"])
      .where("id", "=", leadId)
      .where("owner_id", "=", ownerId)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (lead === undefined) throw notFound();
    await requireAccount(tx, deps, ownerId);
    const epoch = lead.stage_entry_epoch;
    const first =
      key === null ? await firstClick(tx, deps, leadId, epoch) : await findRequested(tx, { ownerId, leadId, key });
    if (first !== null) return first;
    const skipped = lead.skipped_epoch === epoch ? (lead.skipped_steps ?? []) : [];
    const step = await nextStep(tx, leadId, { ...lead, epoch, skipped });
    if (step === null) throw refuse(409, "no_step_left", { reason: "send" });
    // A planned automatic send of the step is replaced; one in progress is the result of this click.
    await sql`delete from outbox where id in (
        select id from outbox where lead_id = ${leadId}::uuid and kind = 'followup' and state = 'pending' and not is_uncertain
        for update skip locked)`.execute(tx);
    const underWay = await openRow(tx, leadId, step.id, epoch);
    if (underWay !== null) return underWay;
    return insertManual(tx, { ownerId, leadId, epoch, step, key, byKey });
  };

  const insertManual = async (
    tx: Tx,
    send: Click & { epoch: number; step: { id: string; message: string; media_id: string | null } },
  ): Promise<Row> => {
    const { ownerId, leadId, epoch, step, key, byKey } = send;
    const { rows } = await sql<{ tries: number }>`select count(*)::int as tries from step_uses
      where lead_id = ${leadId}::uuid and followup_id = ${step.id}::uuid and epoch = ${epoch} and kind = 'manual'`.execute(
      tx,
    );
    return enqueueOne(tx, deps, {
      kind: "manual",
      ownerId,
      leadId,
      byKey,
      followupId: step.id,
      epoch,
      body: step.message,
      mediaId: step.media_id,
      request: key ?? rows[0]?.tries ?? 0,
      expiresAt: new Date(deps.clock.now() + ANSWER_WITHIN_MS).toISOString(),
    });
  };

  return async function sendByHand(click: Click): Promise<void> {
    // Automation may claim the same step at this moment; the retry finds it.
    const requested = await tryAgain(() => request(click));
    const settled = await waitForOutcome(deps, click.ownerId, requested);
    if (settled.state === "cancelled") await freeIdempotencyKey(deps, click, settled.id);
    await requireSent(deps, click.ownerId, settled);
  };
}

async function requireAccount(tx: Tx, deps: Deps, ownerId: string): Promise<void> {
  const account = await tx
    .selectFrom("telegram_sessions")
    .select("paused_until")
    .where("user_id", "=", ownerId)
    .where("state", "=", "connected")
    .executeTakeFirst();
  if (account === undefined) throw notConnected();
  const left = account.paused_until === null ? 0 : Date.parse(account.paused_until) - deps.clock.now();
  if (left > 0) throw accountWaits(left);
}

const accountWaits = (ms: number) => refuse(429, "account_waits", null, { retryAfterSeconds: ms / 1000 });

async function firstClick(tx: Tx, deps: Deps, leadId: string, epoch: number): Promise<Row | null> {
  const since = new Date(deps.clock.now() - SAME_CLICK_MS).toISOString();
  const { rows } = await sql<Row>`
    select id, state, reason from outbox where lead_id = ${leadId}::uuid and kind = 'manual' and epoch = ${epoch}
      and (state in ('pending', 'sending') or (settled_at > ${since}::timestamptz and state <> 'cancelled'))
    order by id desc limit 1`.execute(tx);
  return rows[0] ?? null;
}

type Step = { id: string; message: string; media_id: string | null };

/** Returns the first step at or after the cursor that was neither sent nor skipped in this stage entry. */
async function nextStep(
  tx: Tx,
  leadId: string,
  lead: { stage_id: string | null; epoch: number; followup_order_sent: number; skipped: readonly string[] },
): Promise<Step | null> {
  const { rows } = await sql<Step>`
    select f.id, f.message, f.media_id from followups f
    where f.stage_id = ${lead.stage_id}::uuid and f.followup_order >= ${lead.followup_order_sent}
      and f.id <> all(${[...lead.skipped]}::uuid[])
      and not exists (select from step_uses o where o.lead_id = ${leadId}::uuid and o.followup_id = f.id and o.epoch = ${lead.epoch}
        and o.state in ('sent', 'unknown'))
    order by f.followup_order limit 1`.execute(tx);
  return rows[0] ?? null;
}

async function openRow(tx: Tx, leadId: string, followupId: string, epoch: number): Promise<Row | null> {
  const { rows } = await sql<Row>`
    select id, state, reason from outbox where lead_id = ${leadId}::uuid and followup_id = ${followupId}::uuid and epoch = ${epoch}
      and state in ('pending', 'sending')`.execute(tx);
  return rows[0] ?? null;
}

const isOpen = (row: Row) => row.state === "pending" || row.state === "sending";

/** Waits for the result in the row, because another process may hold the account. Cancels the send if it was not claimed in time. */
async function waitForOutcome(deps: Deps, ownerId: string, requested: Row): Promise<Row> {
  if (!isOpen(requested)) return requested;
  const settled = await pollUntil(
    deps,
    async () => {
      const row = await readRow(deps, requested.id);
      return isOpen(row) ? null : row;
    },
    {
      onNews: (look) => deps.bus.on("outbox.settled", ({ outbox_id: id }) => id === requested.id && look()),
      everyMs: POLL_MS,
      withinMs: ANSWER_WITHIN_MS,
    },
  );
  if (settled !== null) return settled;
  await sql`update outbox set state = 'cancelled', reason = 'EXPIRED', settled_at = ${deps.clock.iso()}::timestamptz
    where id = ${requested.id}::bigint and kind = 'manual' and state = 'pending' and not is_uncertain
      and owner_id = ${ownerId}::uuid`.execute(deps.db);
  return readRow(deps, requested.id);
}

async function readRow(deps: Deps, id: string): Promise<Row> {
  const row = await deps.db
    .selectFrom("outbox")
    .select(["id", "state", "reason"])
    .where("id", "=", id)
    .executeTakeFirst();
  // Only withdrawn planned rows are deleted.
  return row ?? { id, state: "cancelled", reason: "EXPIRED" };
}

/** Frees the idempotency key of a cancelled send, so that a repeat sends the message. The row stays in the ledger. */
async function freeIdempotencyKey(deps: Deps, { ownerId, leadId, key }: Click, id: string): Promise<void> {
  if (key === null) return;
  await deps.db.transaction().execute(async (tx) => {
    await sql`update outbox set dedupe_key = ${freedName}
      where id = ${id}::bigint and state = 'cancelled' and dedupe_key = ${nameOf.request(leadId, key)}`.execute(tx);
    await releaseRequestKey(tx, { ownerId, key }, id);
  });
}

async function requireSent(deps: Deps, ownerId: string, row: Row): Promise<void> {
  if (row.state === "sent") return;
  const outcome = classifySendError({ code: 400, text: row.reason ?? "" });
  if (isOpen(row) || row.state === "unknown") {
    throw refuse(503, "outcome_unknown", null, { retryAfterSeconds: 60 });
  }
  if (row.state === "cancelled") return refuseCancelled(deps, ownerId, outcome.kind);
  if (outcome.kind === "stopped") throw refuse(422, "account_limited");
  if (isContentRefusal(outcome.reason)) throw refuse(422, "message_refused", { reason: outcome.reason });
  throw refuse(422, "unreachable", { reason: outcome.reason });
}

async function refuseCancelled(deps: Deps, ownerId: string, kind: string): Promise<never> {
  if (kind === "sessionLost") throw notConnected();
  await deps.db.transaction().execute((tx) => requireAccount(tx, deps, ownerId));
  if (kind === "chatWait") throw accountWaits(60_000);
  throw refuse(503, "not_sent", null, {
    retryAfterSeconds: 10,
  });
}
