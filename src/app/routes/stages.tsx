import { useCallback } from "react";
import {
  StagesProvider,
  createStages,
  draftAfter,
  rowsOfDraft,
  selectDraft,
  selectIsUnsaved,
  useStages,
  useStagesEvents,
} from "../../machines/stages/index.ts";
import { watchReturns } from "../../services/page-returns.ts";
import { createStagesGateway } from "../../services/stages.ts";
import { StagesView } from "../../views/stages/StagesView.tsx";
import { settlingEdits, useKeptEdits } from "../kept-edits.ts";
import { onceAPage } from "../once-a-page.ts";
import type { Services } from "../services.ts";

const DRAFT = "stages";

export default function StagesRoute({ services }: { services: Services }) {
  return (
    <StagesProvider logic={logicOf(services)}>
      <KeptEdits services={services} />
      <StagesView />
    </StagesProvider>
  );
}

/** One for the page: a save may still be under way when the screen is entered again. */
const logicOf = onceAPage(({ http, notifier, logger, drafts }) =>
  createStages({
    stages: createStagesGateway(http),
    notifier,
    logger,
    onReturn: watchReturns,
    settleDraft: settlingEdits(drafts, DRAFT, draftAfter),
  }),
);

function KeptEdits({ services }: { services: Services }) {
  const { restoreEdits } = useStagesEvents();
  useKeptEdits(services, {
    name: DRAFT,
    edits: useStages(selectDraft),
    isUnsaved: useStages(selectIsUnsaved),
    restore: useCallback((edits: string) => restoreEdits(rowsOfDraft(edits)), [restoreEdits]),
  });
  return null;
}
