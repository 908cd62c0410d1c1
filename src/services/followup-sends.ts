import { parse } from "valibot";
import { type Followup, FollowupList } from "../../domain/followup.ts";
import { failureOf, isOutcomeUnknown } from "../../domain/problem.ts";
import type { Http } from "./http.ts";
import type { Versions } from "./versions.ts";

/** The part of `/followups` of the product API that a list of leads uses. */
export const createFollowupSends = (http: Http, versions?: Versions) => ({
  list: async (signal: AbortSignal): Promise<Followup[]> => {
    const answer = await http.raw("/followups", { signal });
    return parse(FollowupList, versions?.keep(answer) ?? answer.data);
  },

  /** Sends a lead's next follow-up now, even if the user leaves the screen. Only status 200 means sent; an unknown outcome rejects. */
  send: async ({ leadId, step }: { leadId: string; step: string }) => {
    try {
      const { status } = await http.raw(`/followups/send/${encodeURIComponent(leadId)}`, {
        method: "POST",
        once: step,
      });
      return status === 200 ? ({ kind: "sent" } as const) : ({ kind: "refused", reason: null } as const);
    } catch (error) {
      if (isOutcomeUnknown(error)) throw error;
      return { kind: "refused", reason: failureOf(error).message } as const;
    }
  },
});
