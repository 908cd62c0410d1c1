import { createLeadsGateway } from "../services/leads.ts";
import { createStagesGateway } from "../services/stages.ts";
import type { SampleLead } from "../views/preview/PlaceholderPreview.tsx";
import type { Services } from "./services.ts";
import { onceAPage } from "./once-a-page.ts";

/** The newest lead of a stage, else of all, as a message is filled for. */
export const sampleLeadOf = onceAPage(({ http }: Services): SampleLead => {
  const leads = createLeadsGateway(http);
  const stages = createStagesGateway(http);
  return async (stageId, signal) => {
    const newest = async (query: Record<string, string>) =>
      (await leads.list({ limit: 1, offset: 0, ...query }, signal)).leads[0] ?? null;
    const lead = (stageId === null ? null : await newest({ stage_id: stageId })) ?? (await newest({}));
    if (lead === null) return null;
    const stage = (await stages.list(signal)).find(({ id }) => id === (stageId ?? lead.stage_id));
    return { name: lead.name, username: lead.username, stage: stage?.name ?? null };
  };
});
