import { type BulkTarget, bulkTargetKey } from "../../domain/bulk-target.ts";
import type { Lead } from "../../domain/lead.ts";
import { type Recipient, recipientOf } from "../../domain/placeholders.ts";
import { createNamedLeads, namedLeadsKey } from "../services/named-leads.ts";
import { createStagesList } from "../services/stages.ts";
import type { SampleLead } from "../views/preview/PlaceholderPreview.tsx";
import { leadsOf } from "./leads-of.ts";
import { memoizeByServices } from "./lifetime.ts";
import type { Services } from "./services.ts";

const FRESH_MS = 60_000;
/** Automation and bulk messages skip other leads. */
const REACHABLE = { opted_out: false, unreachable: false };

export const bulkRecipientOf = memoizeByServices((services) => createSample(services, false));

/** Returns a recipient of a stage's messages: its newest lead, else the newest of all. */
export const sampleLeadOf = memoizeByServices((services) => createSample(services, true));

/** Editors of one target ask once a minute at most. */
function createSample(services: Services, hasFallback: boolean): SampleLead {
  const { http, clock, sessionStorage } = services;
  const leads = leadsOf(services);
  const named = createNamedLeads(sessionStorage, namedLeadsKey(services.userId()));
  const listStages = createStagesList(http);
  const known = new Map<string, { at: number; person: Promise<Recipient | null> }>();
  // One response serves several editors, so closing one must not abort it.
  const { signal } = new AbortController();
  const newest = async (query: Record<string, unknown>): Promise<Lead | null> =>
    (await leads.list({ limit: 1, offset: 0, ...REACHABLE, ...query }, signal)).leads[0] ?? null;
  const find = async (target: BulkTarget): Promise<Lead | null> => {
    if (target.kind === "query") return newest(queryOf(target.query));
    if (target.kind === "leads") {
      const [leadId] = named.read(target.name);
      return leadId === undefined ? null : leads.read({ leadId }, signal);
    }
    if (target.stageId === "") return newest({});
    return (await newest({ stage_id: target.stageId })) ?? (hasFallback ? newest({}) : null);
  };
  const read = async (target: BulkTarget): Promise<Recipient | null> => {
    const lead = await find(target);
    if (lead === null) return null;
    const stageId = target.kind === "stage" && target.stageId !== "" ? target.stageId : lead.stage_id;
    return recipientOf(lead, await listStages(signal), stageId);
  };
  return (target) => {
    const key = bulkTargetKey(target);
    const before = known.get(key);
    if (before !== undefined && clock.now() - before.at < FRESH_MS) return before.person;
    const person = read(target);
    known.set(key, { at: clock.now(), person });
    person.catch(() => known.delete(key));
    return person;
  };
}

/** Returns a query as a record; repeated parameters such as `tag` become lists. */
function queryOf(search: string): Record<string, unknown> {
  const params = new URLSearchParams(search);
  return Object.fromEntries(
    [...new Set(params.keys())].map((name) => {
      const values = params.getAll(name);
      return [name, values.length > 1 ? values : values[0]];
    }),
  );
}
