import { sql } from "kysely";
import { storedReason } from "../../domain/stored-reasons.ts";
import { audit } from "../core/audit.ts";
import { publishEvent } from "../core/bus.ts";
import type { Deps } from "../core/deps.ts";
import type { Tx } from "../db/index.ts";
import { lockSends } from "./entry.ts";

type JobRow = { owner_id: string; status: string; sent_count: number; failed_count: number; total_targets: number };

/**
 * Counts one settled target in the settling transaction, and completes the job with its last one. A failed job has already counted open
 * targets as not sent; one that turns out to be delivered is recounted as sent.
 */
export async function countTarget(
  tx: Tx,
  deps: Pick<Deps, "clock">,
  jobId: string,
  wasSent: boolean,
): Promise<boolean> {
  const at = deps.clock.iso();
  const { rows } = await sql<JobRow>`
    update bulk_jobs j set
      sent_count = sent_count + ${wasSent ? 1 : 0}::int,
      failed_count = failed_count + case when status = 'in_progress' then ${wasSent ? 0 : 1}::int else ${wasSent ? -1 : 0}::int end,
      status = case when status = 'in_progress' and sent_count + failed_count + 1 >= total_targets then 'completed' else status end,
      finished_at = case when status = 'in_progress' and sent_count + failed_count + 1 >= total_targets then ${at}::timestamptz else finished_at end,
      paused_until = null, paused_reason = null
    where id = ${jobId}::uuid
    returning owner_id, status, sent_count, failed_count, total_targets`.execute(tx);
  const job = rows[0];
  if (job?.status !== "completed") return false;
  await auditFinished(tx, jobId, job, at);
  return true;
}

/** Fails a job: withdraws its open targets and counts them as not sent. Locks rows before the job, as all code does. */
export async function failJob(
  tx: Tx,
  deps: Pick<Deps, "clock">,
  job: { id: string; ownerId: string },
  error: string,
): Promise<void> {
  const at = deps.clock.iso();
  await withdrawTargets(tx, job, at);
  const { rows } = await sql<JobRow>`
    update bulk_jobs set status = 'failed', error = ${error}, failed_count = total_targets - sent_count, finished_at = ${at}::timestamptz,
      paused_until = null, paused_reason = null
    where id = ${job.id}::uuid and status = 'in_progress'
    returning owner_id, status, sent_count, failed_count, total_targets`.execute(tx);
  const ended = rows[0];
  if (ended !== undefined) await auditFinished(tx, job.id, ended, at);
}

/** Why a job failed, or an account sends nothing automatic: Telegram limited the account. */
export const ACCOUNT_LIMITED = storedReason("account_limited");

/** Fails the owner's running job because Telegram has limited the connected account. */
export async function failLimitedJob(tx: Tx, deps: Pick<Deps, "bus" | "clock">, ownerId: string): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select id from bulk_jobs where owner_id = ${ownerId}::uuid and status = 'in_progress'`.execute(tx);
  for (const { id } of rows) {
    await failJob(tx, deps, { id, ownerId }, ACCOUNT_LIMITED);
    await publishEvent(deps.bus, ownerId, "bulk.changed", { job_id: id }, tx);
  }
}

/** Whether a job is running. It then cannot end before the caller's transaction. */
export async function isJobRunning(tx: Tx, jobId: string): Promise<boolean> {
  const job = await tx.selectFrom("bulk_jobs").select("status").where("id", "=", jobId).forShare().executeTakeFirst();
  return job?.status === "in_progress";
}

/**
 * Cancels a job's open targets. One that may have been delivered stays unknown; a retry could deliver it after all. One that is being sent
 * stays locked until the transaction ends, so that a concurrent refusal cannot requeue it.
 */
export async function withdrawTargets(tx: Tx, job: { id: string; ownerId: string }, at: string): Promise<void> {
  const targets = sql`owner_id = ${job.ownerId}::uuid and job_id = ${job.id}::uuid`;
  await lockSends(tx, targets);
  await sql`update outbox set state = case when is_uncertain then 'unknown' else 'cancelled' end, settled_at = ${at}::timestamptz
    where ${targets} and state = 'pending'`.execute(tx);
}

const auditFinished = (tx: Tx, jobId: string, job: JobRow, at: string) =>
  audit(tx, {
    userId: job.owner_id,
    action: "bulk_finished",
    at,
    detail: {
      job_id: jobId,
      status: job.status,
      sent: job.sent_count,
      not_sent: job.failed_count,
      total: job.total_targets,
    },
  });
