import { sql } from "kysely";
import { automationMessage } from "../../domain/automation-messages.ts";
import { leadAutomation, type LeadAutomation, type LeadAutomationRequest } from "../../domain/lead-automation.ts";
import { publishEvent } from "../core/bus.ts";
import type { Deps } from "../core/deps.ts";
import { inEnglish } from "../core/languages.ts";
import { lockLead } from "../lead-rows/lead.ts";
import { missingScope, notFound, refuse, refuseInput } from "../core/problem.ts";
import { fingerprintOf, withIdempotencyKey } from "../core/request-keys.ts";
import type { DbOrTx, Tx } from "../db/index.ts";
import { readAutomationFacts } from "../followups/automation-facts.ts";
import { holdSends, withdrawSteps } from "../outbox/entry.ts";
import { actorOf, recordLeadEvent } from "./events.ts";

type OwnedRef = { ownerId: string; leadId: string };
/**
 * `byKey`: the name of the API key that requested it, null for the user. `mayEndHolds`: whether the caller may make automation resume
 * earlier.
 */
type AutomationChange = OwnedRef & { byKey: string | null; mayEndHolds: boolean };
type StepRow = { followup_id: string; due_at: string; epoch: number; place: number };

/** Returns what a lead's automation is doing now. @throws ProblemError 404 */
export async function readLeadAutomation(
  db: DbOrTx,
  { clock }: Pick<Deps, "clock">,
  { ownerId, leadId }: OwnedRef,
): Promise<LeadAutomation> {
  const [found] = await readAutomationFacts(
    db,
    clock.now(),
    sql<boolean>`l.id = ${leadId}::uuid and l.owner_id = ${ownerId}::uuid`,
  );
  if (found === undefined) throw notFound();
  const { state, dueAt, code, reason } = leadAutomation(found.facts);
  return {
    state,
    due_at: dueAt === null ? null : new Date(dueAt).toISOString(),
    step: state === "finished" ? null : found.step,
    words: inEnglish(automationMessage(code, reason)),
    words_code: code,
    words_params: reason === null ? {} : { reason },
    stage_entered_at: found.stageEnteredAt,
  };
}

/**
 * Skips the lead's next step, holds the lead or resumes it, and returns the new state of its automation. Planned messages are withdrawn. A
 * skipped step is never sent in this stage entry; the next one counts from its due time, or from now if that has passed. `resume` ends a
 * hold and clears an opt-out; what became due in the meantime is sent then.
 * @param key idempotency key: a repeat changes nothing and gets the first response
 * @throws ProblemError 403 for a hold that ends before the current one, if the caller may not end holds, 404, 409 for a step that is being
 * sent or if no step is left, 422 for a hold that ends in the past
 */
export function changeLeadAutomation(
  deps: Deps,
  ref: AutomationChange,
  body: LeadAutomationRequest,
  key: string | null,
): Promise<LeadAutomation> {
  const { ownerId, leadId } = ref;
  const fingerprint = fingerprintOf("automation", leadId, body.action, body.until ?? "");
  const request = { ownerId, key, fingerprint, at: deps.clock.iso() };
  return deps.db.transaction().execute((tx) => withIdempotencyKey(tx, request, () => applyChange(tx, deps, ref, body)));
}

async function applyChange(
  tx: Tx,
  deps: Deps,
  ref: AutomationChange,
  body: LeadAutomationRequest,
): Promise<LeadAutomation> {
  const { ownerId, leadId } = ref;
  await holdSends(tx, ref);
  await lockLead(tx, ref);
  if (body.action === "skip") await skip(tx, deps, ref);
  else if (body.action === "hold") await hold(tx, deps, ref, body.until ?? null);
  else await resume(tx, deps, ref);
  await publishEvent(deps.bus, ownerId, "lead.changed", { id: leadId }, tx);
  return readLeadAutomation(tx, deps, ref);
}

/**
 * The place at which a lead resumes, now or after the user's hold. If its stage was deleted, this is after the steps of its new stage that
 * it has already received.
 */
export const pastReceived = sql<number>`case when leads.held_from is null then leads.followup_order_sent
  else greatest(leads.followup_order_sent, coalesce((select max(f.followup_order) + 1 from followups f
    where f.stage_id = leads.stage_id and exists (
      select from step_uses o where o.lead_id = leads.id and o.followup_id = f.id and o.state in ('sent', 'unknown'))), 0)) end`;

/** True for leads on a longer hold, which a hold until `until` would end earlier. */
export const endsHold = (
  until: string | null,
) => sql<boolean>`(${until}::timestamptz is not null and leads.held_at is not null
  and (leads.held_until is null or leads.held_until > ${until}::timestamptz))`;

async function skip(tx: Tx, deps: Deps, ref: AutomationChange): Promise<void> {
  const { ownerId, leadId, byKey } = ref;
  const { rows } =
    await sql<StepRow>`select n.followup_id, n.due_at, n.epoch, f.followup_order as place from next_followups n join followups f on f.id = n.followup_id
    where n.lead_id = ${leadId}::uuid and n.owner_id = ${ownerId}::uuid`.execute(tx);
  const step = rows[0];
  if (step === undefined) throw refuse(409, "no_step_left", { reason: "skip" });
  const { rows: underWay } =
    await sql`select from outbox where lead_id = ${leadId}::uuid and owner_id = ${ownerId}::uuid
    and followup_id = ${step.followup_id}::uuid and epoch = ${step.epoch}
    and (state = 'sending' or (state = 'pending' and (is_uncertain or kind = 'manual')))`.execute(tx);
  if (underWay.length > 0) throw refuse(409, "being_sent");
  await withdrawSteps(tx, ref);
  const at = deps.clock.iso();
  await sql`update leads set followup_order_sent = ${step.place}::int + 1,
      skipped_steps = case when skipped_epoch = stage_entry_epoch then skipped_steps else '{}' end || ${step.followup_id}::uuid,
      skipped_epoch = stage_entry_epoch, skipped_until = greatest(${step.due_at}::timestamptz, ${at}::timestamptz)
    where id = ${leadId}::uuid and owner_id = ${ownerId}::uuid`.execute(tx);
  const detail = { followup_id: step.followup_id };
  await recordLeadEvent(tx, { ownerId, leadId, type: "skipped", ...actorOf(byKey), detail, at });
}

async function hold(tx: Tx, deps: Deps, ref: AutomationChange, until: string | null): Promise<void> {
  const { ownerId, leadId, byKey } = ref;
  if (until !== null && Date.parse(until) <= deps.clock.now())
    throw refuseInput("until", "time_over", null, "Must be in the future.");
  if (!ref.mayEndHolds && (await isHeldLonger(tx, ref, until))) throw missingScope(["send"]);
  await withdrawSteps(tx, ref);
  const at = deps.clock.iso();
  await tx
    .updateTable("leads")
    .set({ followup_order_sent: pastReceived, held_at: at, held_until: until, held_from: null })
    .where("id", "=", leadId)
    .where("owner_id", "=", ownerId)
    .execute();
  await recordLeadEvent(tx, { ownerId, leadId, type: "held", ...actorOf(byKey), detail: { until }, at });
}

async function isHeldLonger(tx: Tx, { ownerId, leadId }: OwnedRef, until: string | null): Promise<boolean> {
  const { rows } = await sql`select from leads where id = ${leadId}::uuid and owner_id = ${ownerId}::uuid
    and ${endsHold(until)}`.execute(tx);
  return rows.length > 0;
}

async function resume(tx: Tx, deps: Deps, { ownerId, leadId, byKey }: AutomationChange): Promise<void> {
  const resumed = await tx
    .updateTable("leads")
    .set({ followup_order_sent: pastReceived, held_at: null, held_until: null, held_from: null, opted_out_at: null })
    .where("id", "=", leadId)
    .where("owner_id", "=", ownerId)
    .where((eb) => eb.or([eb("held_at", "is not", null), eb("opted_out_at", "is not", null)]))
    .executeTakeFirst();
  if (resumed.numUpdatedRows === 0n) return;
  await recordLeadEvent(tx, { ownerId, leadId, type: "resumed", ...actorOf(byKey), at: deps.clock.iso() });
}
