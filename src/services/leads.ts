import { parse } from "valibot";
import { LeadsPage } from "../../domain/lead.ts";
import type { Http } from "./http.ts";

/** `/leads` of the product API. */
export const createLeadsGateway = (http: Http) => ({
  /** One page of leads, newest first; `total` counts all that match. */
  list: async (request: Readonly<Record<string, string | number>>, signal: AbortSignal): Promise<LeadsPage> =>
    parse(LeadsPage, await http("/leads", { query: request, signal })),

  /** Goes on when the screen is left: the person has finished with the note and must not lose it. */
  saveNotes: async ({ leadId, notes }: { leadId: string; notes: string }): Promise<void> => {
    await http(pathOf(leadId), { method: "PATCH", body: { notes } });
  },

  /** Moves the lead; its follow-ups start again and its own last word no longer counts. */
  changeStage: async ({ leadId, stageId }: { leadId: string; stageId: string }, signal: AbortSignal): Promise<void> => {
    const body = {
      stage_id: stageId,
      followup_order_sent: 0,
      last_followup_sent_at: null,
      last_user_message_at: null,
    };
    await http(pathOf(leadId), { method: "PATCH", body, signal });
  },
});

const pathOf = (leadId: string) => `/leads/${encodeURIComponent(leadId)}`;
