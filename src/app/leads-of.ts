import { createFollowupSends } from "../services/followup-sends.ts";
import { createLeadsGateway, createNotesDrafts, createUnansweredNotes } from "../services/leads.ts";
import { createStagesList } from "../services/stages-list.ts";
import { onceAPage } from "./once-a-page.ts";
import type { Services } from "./services.ts";

/** One for the page: a note may still be on its way when a screen that shows it is entered. */
export const leadsOf = onceAPage(({ http, sessionStorage }) =>
  createLeadsGateway(http, createUnansweredNotes(sessionStorage)),
);

/** What a screen of leads reads beside them, and what a lead's row does. */
export function leadWorkOf(services: Services) {
  const { http, notifier, logger, sessionStorage } = services;
  const { saveNotes, changeStage, undoStage } = leadsOf(services);
  const followups = createFollowupSends(http);
  const drafts = createNotesDrafts(sessionStorage);
  return {
    reads: { listStages: createStagesList(http), listFollowups: followups.list },
    row: {
      leads: { saveNotes, changeStage, undoStage, sendFollowup: followups.send },
      drafts,
      notifier,
      logger,
    },
    drafts,
  };
}
