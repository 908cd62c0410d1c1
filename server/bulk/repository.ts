import { reasonFields, inEnglish } from "../core/languages.ts";
import { sql, type RawBuilder } from "kysely";
import { PAUSE_MESSAGES, type BulkJob, type BulkRemoved } from "../../domain/bulk.ts";
import type { LeadFilter } from "../../domain/lead-filter.ts";
import { pollUntil } from "../core/poll-until.ts";
import { audit } from "../core/audit.ts";
import { publishEvent } from "../core/bus.ts";
import type { Deps } from "../core/deps.ts";
import { withIdempotencyKey } from "../core/request-keys.ts";
import { notFound, refuse } from "../core/problem.ts";
import { isUniqueViolation, type Db, type Tx } from "../db/index.ts";
import { leadConditions } from "../leads/filter.ts";
import { storeMedia, type CheckedFile } from "../media/store.ts";
import { enqueueTargets, wakeSender } from "../outbox/enqueue.ts";
import { withdrawTargets } from "../outbox/job-counts.ts";

/** A bulk message to all leads, a stage, those that match a filter, or the given ids as far as they are the owner's. */
export type BulkRequest = {
  message: string;
  file: CheckedFile | null;
  stageId: string | null;
  filter?: LeadFilter | null;
  leadIds?: readonly string[] | null;
  throttleSeconds: number;
  /** the name of the API key that requests it */
  byKey?: string | null;
};

type JobDeps = Pick<Deps, "db" | "bus" | "clock" | "config">;

const alreadyRunning = () => refuse(409, "bulk_running");

/**
 * Creates a bulk job, once per idempotency key: the job and a row for every target, most recent writers first, in one transaction and one
 * statement.
 * @throws ProblemError 409 while another job runs, without an account, or after Telegram's spam limit; 422 without targets
 */
export async function createBulkJob(
  deps: JobDeps,
  ownerId: string,
  request: BulkRequest,
  keyed: { key: string | null; fingerprint: string } = { key: null, fingerprint: "" },
): Promise<string> {
  const keyedRequest = { ownerId, at: deps.clock.iso(), ...keyed };
  try {
    const { id } = await deps.db
      .transaction()
      .execute((tx) =>
        withIdempotencyKey(tx, keyedRequest, () => insertJob(tx, deps, ownerId, request, keyedRequest.at)),
      );
    return id;
  } catch (error) {
    if (isUniqueViolation(error)) throw alreadyRunning();
    throw error;
  }
}

async function insertJob(
  tx: Tx,
  deps: JobDeps,
  ownerId: string,
  request: BulkRequest,
  at: string,
): Promise<{ id: string }> {
  const account = await tx
    .selectFrom("telegram_sessions")
    .select("stopped_reason")
    .where("user_id", "=", ownerId)
    .where("state", "=", "connected")
    .executeTakeFirst();
  const { id } = await tx
    .insertInto("bulk_jobs")
    .values({
      owner_id: ownerId,
      message: request.message,
      media_id: await storeMedia(tx, deps, ownerId, request.file),
      stage_id: request.stageId,
      throttle_ms: Math.round(request.throttleSeconds * 1000),
      created_at: at,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  if (account === undefined) {
    throw refuse(409, "not_connected", { reason: "send" });
  }
  if (account.stopped_reason !== null) throw refuse(409, "account_limited");
  const whom = await targetConditions(tx, ownerId, request);
  const leads = sql<{
    id: string;
  }>`select leads.id from leads where ${whom} order by leads.last_inbound_at desc nulls last, leads.id`;
  const total = await enqueueTargets(tx, deps, { id, ownerId, leads, byKey: request.byKey ?? null });
  if (total === 0) throw refuse(422, "no_targets", null, { fields: { [targetField(request)]: "No leads." } });
  await tx.updateTable("bulk_jobs").set({ total_targets: total }).where("id", "=", id).execute();
  await audit(tx, { userId: ownerId, action: "bulk_created", at, detail: { job_id: id, total } });
  await publishEvent(deps.bus, ownerId, "bulk.changed", { job_id: id }, tx);
  return { id };
}

/** Returns a condition over `leads` that selects the targets. */
async function targetConditions(
  tx: Tx,
  ownerId: string,
  { filter, leadIds, stageId }: BulkRequest,
): Promise<RawBuilder<unknown>> {
  if (filter != null) return leadConditions(tx, ownerId, filter);
  if (leadIds != null) return sql`leads.owner_id = ${ownerId}::uuid and leads.id = any(${leadIds}::uuid[])`;
  return sql`owner_id = ${ownerId}::uuid ${stageId === null ? sql`` : sql`and stage_id = ${stageId}::uuid`}`;
}

const targetField = ({ filter, leadIds }: BulkRequest): "query" | "lead_ids" | "stage_id" =>
  filter != null ? "query" : leadIds != null ? "lead_ids" : "stage_id";

type StatusRow = Omit<BulkJob, "job_id" | "status" | "paused_code" | "error" | "error_code" | "error_params"> & {
  job_id: string;
  error: string | null;
  status: BulkJob["status"];
  is_connected: boolean;
  has_access: boolean;
  account_paused_until: string | null;
};

/** Returns the running job. @throws ProblemError 404 if there is none */
export async function readRunningJob(db: Db, ownerId: string, at: string): Promise<BulkJob> {
  const running = await db
    .selectFrom("bulk_jobs")
    .select("id")
    .where("owner_id", "=", ownerId)
    .where("status", "=", "in_progress")
    .where("hidden_at", "is", null)
    .executeTakeFirst();
  if (running === undefined) throw notFound();
  return await readBulkJob(db, ownerId, running.id, at);
}

/** Returns a job's progress, and why it is paused. @throws ProblemError 404, also for a cancelled one */
export async function readBulkJob(db: Db, ownerId: string, jobId: string, at: string): Promise<BulkJob> {
  const { rows } = await sql<StatusRow>`
    select j.id as job_id, j.status, j.status = 'in_progress' and j.held_at is not null as is_held, j.sent_count, j.failed_count, j.total_targets, j.error,
      case when j.paused_until > ${at}::timestamptz then j.paused_until end as paused_until,
      case when j.paused_until > ${at}::timestamptz then j.paused_reason end as paused_reason,
      s.id is not null as is_connected, public.has_access(j.owner_id, ${at}::timestamptz) as has_access,
      case when s.paused_until > ${at}::timestamptz then s.paused_until end as account_paused_until
    from bulk_jobs j left join telegram_sessions s on s.user_id = j.owner_id and s.state = 'connected'
    where j.id = ${jobId}::uuid and j.owner_id = ${ownerId}::uuid and j.hidden_at is null`.execute(db);
  const row = rows[0];
  if (row === undefined) throw notFound();
  const { is_connected, has_access, account_paused_until, error, ...rest } = row;
  const job = { ...rest, ...reasonFields("error", error) };
  const paused = (code: keyof typeof PAUSE_MESSAGES): BulkJob => ({
    ...job,
    paused_until: null,
    paused_reason: inEnglish(PAUSE_MESSAGES[code]),
    paused_code: code,
  });
  if (job.status !== "in_progress") return { ...job, paused_until: null, paused_reason: null, paused_code: null };
  if (!is_connected) return paused("not_connected");
  if (!has_access) return paused("no_subscription");
  if (job.is_held) return paused("held");
  if (account_paused_until !== null) return { ...paused("account_waits"), paused_until: account_paused_until };
  // Apart from the account, only the daily limit pauses a job.
  return { ...job, paused_code: job.paused_until === null ? null : "daily_limit" };
}

/** Continues a held job; any other stays as it is. @throws ProblemError 404 like `readBulkJob` */
export async function continueBulkJob(deps: JobDeps, ownerId: string, jobId: string): Promise<BulkJob> {
  await deps.db.transaction().execute(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable("bulk_jobs")
      .set({ held_at: null })
      .where("id", "=", jobId)
      .where("owner_id", "=", ownerId)
      .where("status", "=", "in_progress")
      .where("held_at", "is not", null)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return;
    await audit(tx, { userId: ownerId, action: "bulk_continued", at: deps.clock.iso(), detail: { job_id: jobId } });
    await wakeSender(deps.bus, ownerId, tx);
    await publishEvent(deps.bus, ownerId, "bulk.changed", { job_id: jobId }, tx);
  });
  return readBulkJob(deps.db, ownerId, jobId, deps.clock.iso());
}

/**
 * Cancels a running job or hides a finished one. After this returns, nothing is sent for it, except a message in flight whose result does
 * not arrive in time.
 * @returns how many messages were sent, including the one in flight
 */
export async function removeBulkJob(deps: Deps, ownerId: string, jobId: string): Promise<BulkRemoved> {
  await deps.db.transaction().execute(async (tx) => {
    const at = deps.clock.iso();
    const job = await tx
      .selectFrom("bulk_jobs")
      .select("status")
      .where("id", "=", jobId)
      .where("owner_id", "=", ownerId)
      .where("hidden_at", "is", null)
      .executeTakeFirst();
    if (job === undefined) throw notFound();
    // Target rows are locked before the job everywhere.
    await withdrawTargets(tx, { id: jobId, ownerId }, at);
    const { rows } = await sql<{ sent_count: number; total_targets: number; was_running: boolean }>`
      update bulk_jobs j set hidden_at = ${at}::timestamptz, finished_at = coalesce(j.finished_at, ${at}::timestamptz),
        status = case when j.status = 'in_progress' then 'cancelled' else j.status end,
        failed_count = case when j.status = 'in_progress' then j.total_targets - j.sent_count else j.failed_count end
      where j.id = ${jobId}::uuid and j.hidden_at is null
      returning sent_count, total_targets, status = 'cancelled' as was_running`.execute(tx);
    const ended = rows[0];
    if (ended?.was_running) {
      await publishEvent(deps.bus, ownerId, "bulk.changed", { job_id: jobId }, tx);
      await audit(tx, {
        userId: ownerId,
        action: "bulk_cancelled",
        at,
        detail: { job_id: jobId, sent: ended.sent_count, total: ended.total_targets },
      });
    }
  });
  await waitForInFlight(deps, ownerId, jobId);
  const counts = await deps.db
    .selectFrom("bulk_jobs")
    .select(["sent_count", "total_targets"])
    .where("id", "=", jobId)
    .executeTakeFirstOrThrow();
  return { success: true, ...counts };
}

const IN_FLIGHT_POLL_MS = 500;
const IN_FLIGHT_MOST_MS = 10_000;

async function waitForInFlight(deps: Deps, ownerId: string, jobId: string): Promise<void> {
  await pollUntil(
    deps,
    async () => {
      const open = await deps.db
        .selectFrom("outbox")
        .select("id")
        .where("owner_id", "=", ownerId)
        .where("state", "=", "sending")
        .where("job_id", "=", jobId)
        .limit(1)
        .executeTakeFirst();
      return open === undefined || null;
    },
    {
      onNews: (look) => deps.bus.on("ledger.changed", ({ owner_id: id }) => id === ownerId && look()),
      everyMs: IN_FLIGHT_POLL_MS,
      withinMs: IN_FLIGHT_MOST_MS,
    },
  );
}
