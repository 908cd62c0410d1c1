import type { Lead } from "../../../domain/lead.ts";

/** A move resets the lead's follow-ups and its last word, as the call told the server; when it entered is known after a reading. */
export const movedLead = (lead: Lead, stageId: string | null): Lead => ({
  ...lead,
  stage_id: stageId,
  stage_entered_at: null,
  followup_order_sent: 0,
  last_followup_sent_at: null,
  last_user_message_at: null,
});
