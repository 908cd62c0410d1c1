import { useCallback, useMemo } from "react";
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
import { useUnsavedWork } from "../leaving.ts";
import { onceAPage } from "../once-a-page.ts";
import type { Services } from "../services.ts";
import { useDraft } from "../use-draft.ts";

const DRAFT = "stages";
const BLANK = { rows: "" };

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
    settleDraft(saved) {
      const kept = drafts.read(DRAFT, BLANK)?.rows;
      if (kept !== undefined) drafts.write(DRAFT, { rows: draftAfter(kept, saved) }, BLANK);
    },
  }),
);

/** Edited stages ask before they are left, and are there again after a reload. */
function KeptEdits({ services: { leaving, drafts } }: { services: Services }) {
  const { restoreEdits } = useStagesEvents();
  const rows = useStages(selectDraft);
  const form = useMemo(() => (rows === null ? null : { rows }), [rows]);
  const restore = useCallback(
    (typed: Partial<typeof BLANK>) => restoreEdits(rowsOfDraft(typed.rows ?? "")),
    [restoreEdits],
  );
  useDraft(drafts, { name: DRAFT, form, blank: BLANK, restore });
  useUnsavedWork(
    leaving,
    useStages(selectIsUnsaved),
    useCallback(() => drafts.forget(DRAFT), [drafts]),
  );
  return null;
}
