import * as v from "valibot";
import { ExclusionEnd, ExclusionList, type Exclusion } from "../../domain/exclusion.ts";
import type { Http } from "./http.ts";

const Made = v.object({ telegram_user_id: v.string() });

/** `/exclusions`: people of whom nothing is stored. */
export const createExclusionsGateway = (http: Http) => ({
  /** Newest first, a thousand at most. */
  list: async (signal: AbortSignal): Promise<Exclusion[]> =>
    v.parse(ExclusionList, await http("/exclusions", { signal })),
  /** Not a lead; answers whose exclusion `restore` ends. */
  exclude: async ({ leadId }: { leadId: string }): Promise<{ telegramUserId: string }> => {
    const answer = await http(`/leads/${encodeURIComponent(leadId)}/exclude`, { method: "POST" });
    return { telegramUserId: v.parse(Made, answer).telegram_user_id };
  },
  /** The lead that is there again, or null when the person starts anew. */
  restore: async ({ telegramUserId }: { telegramUserId: string }): Promise<string | null> => {
    const answer = await http(`/exclusions/${encodeURIComponent(telegramUserId)}`, { method: "DELETE" });
    return v.parse(ExclusionEnd, answer).lead_id;
  },
});
