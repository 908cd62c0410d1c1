import { type Recipient, recipientOf } from "../../domain/placeholders.ts";
import { createStagesList } from "../services/stages-list.ts";
import type { SampleLead } from "../views/preview/PlaceholderPreview.tsx";
import { leadsOf } from "./leads-of.ts";
import { onceAPage } from "./once-a-page.ts";

const KEPT_MS = 60_000;

/** The newest lead of a stage, else of all, as a message is filled for; editors of one stage ask once a minute at most. */
export const sampleLeadOf = onceAPage((services): SampleLead => {
  const { http, clock } = services;
  const leads = leadsOf(services);
  const listStages = createStagesList(http);
  const known = new Map<string | null, { at: number; person: Promise<Recipient | null> }>();
  // One answer serves several editors, of which any may be left.
  const { signal } = new AbortController();
  const read = async (stageId: string | null): Promise<Recipient | null> => {
    const newest = async (query: Record<string, string>) =>
      (await leads.list({ limit: 1, offset: 0, ...query }, signal)).leads[0] ?? null;
    const lead = (stageId === null ? null : await newest({ stage_id: stageId })) ?? (await newest({}));
    if (lead === null) return null;
    return recipientOf(lead, await listStages(signal), stageId ?? lead.stage_id);
  };
  return (stageId) => {
    const before = known.get(stageId);
    if (before !== undefined && clock.now() - before.at < KEPT_MS) return before.person;
    const person = read(stageId);
    known.set(stageId, { at: clock.now(), person });
    person.catch(() => known.delete(stageId));
    return person;
  };
});
