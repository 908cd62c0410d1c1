import * as v from "valibot";
import { ExclusionEnd, ExclusionList, type Exclusion } from "../../domain/exclusion.ts";
import { leadPath } from "./addresses.ts";
import type { Http } from "./http.ts";

const Made = v.object({ telegram_user_id: v.string() });

/** `/exclusions`: people about whom nothing is stored. */
export const createExclusionsGateway = (http: Http) => ({
  /** Newest first, at most a thousand. */
  list: async (signal: AbortSignal): Promise<Exclusion[]> =>
    v.parse(ExclusionList, await http("/exclusions", { signal })),
  /** Excludes a lead; returns the Telegram user id for `restore`. */
  exclude: async ({ leadId }: { leadId: string }): Promise<{ telegramUserId: string }> => {
    const answer = await http(`${leadPath(leadId)}/exclude`, { method: "POST" });
    return { telegramUserId: v.parse(Made, answer).telegram_user_id };
  },
  /** Returns the restored lead, or null if the person starts as a new lead. */
  restore: async ({ telegramUserId }: { telegramUserId: string }): Promise<string | null> => {
    const answer = await http(`/exclusions/${encodeURIComponent(telegramUserId)}`, { method: "DELETE" });
    return v.parse(ExclusionEnd, answer).lead_id;
  },
});
