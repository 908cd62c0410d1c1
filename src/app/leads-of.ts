import { unsubscribeAll } from "../services/unsubscribe-all.ts";
import { createLeadsGateway, createUnansweredNotes } from "../services/leads.ts";
import { createPagePrefetch } from "../services/page-prefetch.ts";
import { memoizeByServices } from "./lifetime.ts";

/** One actor per page: a note may still be saving when the user opens a screen that shows it. */
export const leadsOf = memoizeByServices(({ http, events, sessionStorage }) => {
  const leads = createLeadsGateway(http, createUnansweredNotes(sessionStorage));
  const { list, ask, discard } = createPagePrefetch(leads.list, (listener) =>
    unsubscribeAll((["lead.changed", "leads.changed"] as const).map((type) => events.subscribe(type, listener))),
  );
  const writing =
    <Input, Done>(write: (input: Input) => Promise<Done>) =>
    (input: Input): Promise<Done> => {
      discard();
      return write(input).finally(discard);
    };
  return {
    ...leads,
    list,
    listAhead: ask,
    saveNotes: writing(leads.saveNotes),
    changeStage: writing(leads.changeStage),
    undoStage: writing(leads.undoStage),
  };
});
