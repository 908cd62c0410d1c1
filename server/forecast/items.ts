import { cutText } from "../../domain/cut-text.ts";
import { sql } from "kysely";
import type { ForecastItem } from "../../domain/forecast.ts";
import type { RunSend } from "../../domain/forecast-run.ts";
import { fillPlaceholders } from "../../domain/placeholders.ts";
import { digestTitle, fillReminder } from "../../domain/reminder-text.ts";
import type { Deps } from "../core/deps.ts";
import type { Db } from "../db/index.ts";
import type { ForecastInput } from "./facts.ts";
import { hot } from "./read.ts";

const PREVIEW_CHARS = 120;

type LeadRow = {
  id: string;
  name: string | null;
  username: string | null;
  telegram_user_id: string;
  stage: string | null;
};
type BodyRow = { id: string; lead_id: string | null; body: string };
type RuleRow = { id: string; template: string; stage: string; language: string | null };

/** Returns what the user sees of sends: the recipient, the step and a preview. */
export async function itemsOf(
  { db, languages }: Pick<Deps, "db" | "languages">,
  ownerId: string,
  input: ForecastInput,
  sends: readonly RunSend[],
): Promise<ForecastItem[]> {
  if (sends.length === 0) return [];
  const bodies = await readBodies(db, ownerId, sends);
  const leadIdOf = ({ row }: RunSend) =>
    row.lead?.id ?? row.reminder?.leadId ?? bodies.get(String(row.id))?.lead_id ?? null;
  const leads = await readLeads(db, ownerId, sends.map(leadIdOf));
  const rules = sends.some(({ row }) => row.reminder !== null)
    ? await readRules(db, ownerId)
    : new Map<string, RuleRow>();
  const steps = new Map(input.steps.map((step) => [step.id, step]));
  const previewOf = (send: RunSend, lead: LeadRow | undefined): string => {
    const { kind, reminder, step, id } = send.row;
    if (reminder !== null) {
      const rule = rules.get(reminder.ruleId);
      if (rule === undefined) return "";
      const write = languages.writerFor(rule.language);
      if (lead === undefined) return write(digestTitle(rule.stage, reminder.count));
      return fillReminder(rule.template, rule.stage, { ...lead, days: reminder.days }, write);
    }
    if (kind === "reminder" || kind === "reply") return bodies.get(String(id))?.body ?? "";
    const template =
      kind === "bulk"
        ? input.account.job_message
        : kind === "manual"
          ? bodies.get(String(id))?.body
          : steps.get(step?.id ?? "")?.message;
    return fillPlaceholders(template ?? "", lead ?? { name: null, username: null, stage: null });
  };
  return sends.map((send) => {
    const leadId = leadIdOf(send);
    const lead = leadId === null ? undefined : leads.get(leadId);
    const step = send.row.step === null ? undefined : steps.get(send.row.step.id);
    return {
      at: new Date(send.at).toISOString(),
      kind: send.row.kind,
      lead: lead === undefined ? null : { id: lead.id, name: lead.name },
      step:
        step === undefined ? null : { id: step.id, order: step.order, preview: cutText(step.message, PREVIEW_CHARS) },
      preview: cutText(previewOf(send, lead), PREVIEW_CHARS),
    };
  });
}

/** Reads the texts of messages that have their final text already. */
async function readBodies(db: Db, ownerId: string, sends: readonly RunSend[]): Promise<Map<string, BodyRow>> {
  const written = sends.filter(
    ({ row }) => ["reply", "manual", "reminder"].includes(row.kind) && row.reminder === null,
  );
  if (written.length === 0) return new Map();
  const { rows } = await sql<BodyRow>`
    select id, lead_id, left(body, ${4 * PREVIEW_CHARS}::int) as body from outbox
    where owner_id = ${ownerId}::uuid and id = any(${written.map(({ row }) => row.id)}::bigint[])`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}

async function readLeads(db: Db, ownerId: string, ids: readonly (string | null)[]): Promise<Map<string, LeadRow>> {
  const { rows } = await sql<LeadRow>`${hot}
    select l.id, l.name, l.username, l.telegram_user_id, s.name as stage from leads l left join stages s on s.id = l.stage_id
    where l.id = any(${[...new Set(ids.filter((id) => id !== null))]}::uuid[]) and l.owner_id = ${ownerId}::uuid`.execute(
    db,
  );
  return new Map(rows.map((row) => [row.id, row]));
}

async function readRules(db: Db, ownerId: string): Promise<Map<string, RuleRow>> {
  const { rows } = await sql<RuleRow>`
    select r.id, r.template, s.name as stage, u.language from reminders r join stages s on s.id = r.stage_id
      left join user_settings u on u.user_id = r.owner_id
    where r.owner_id = ${ownerId}::uuid`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}
