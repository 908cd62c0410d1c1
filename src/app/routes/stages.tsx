import { useCallback, useEffect, useMemo } from "react";
import type { StageDraft } from "../../../domain/stage.ts";
import { KeywordLab, createKeywordLab } from "../../machines/keyword-lab/keyword-lab.machine.ts";
import {
  StagesProvider,
  createStages,
  draftAfter,
  rowsOfDraft,
  selectDraft,
  selectIsUnsaved,
  selectRows,
  useStages,
  useStagesEvents,
  wordsOf,
} from "../../machines/stages/index.ts";
import { createUndoing } from "../../machines/kit/undoing.ts";
import { watchReturns } from "../../services/page-returns.ts";
import { createStagesGateway } from "../../services/stages.ts";
import { KeywordLabSection } from "../../views/stages/KeywordLab.tsx";
import { StagesView } from "../../views/stages/StagesView.tsx";
import { settlingEdits, useKeptEdits } from "../kept-edits.ts";
import { onceAPage } from "../once-a-page.ts";
import type { Services } from "../services.ts";

const DRAFT = { name: "stages", field: "rows" };

export default function StagesRoute({ services }: { services: Services }) {
  return (
    <StagesProvider logic={logicOf(services)}>
      <KeptEdits services={services} />
      <StagesView lab={<LabPlace services={services} />} />
    </StagesProvider>
  );
}

StagesRoute.firstReads = () => ["/api/stages"];

const labOf = onceAPage((services) => createKeywordLab(services));

/** Gives the lab the words as they are typed. */
function LabPlace({ services }: { services: Services }) {
  const rows = useStages(selectRows);
  const words = useMemo(() => wordsOf(rows), [rows]);
  return (
    <KeywordLab.Provider logic={labOf(services)} options={{ input: { words } }}>
      <EditedWords words={words} />
      <KeywordLabSection />
    </KeywordLab.Provider>
  );
}

function EditedWords({ words }: { words: readonly StageDraft[] }) {
  const send = KeywordLab.useSend();
  useEffect(() => send({ type: "words.edited", words }), [send, words]);
  return null;
}

/** One for the page: a save may still be under way when the screen is entered again. */
const logicOf = onceAPage(({ http, notifier, logger, drafts }) => {
  const stages = createStagesGateway(http);
  return createStages({
    stages,
    undoing: createUndoing({ notifier, logger }, stages.restore, {
      deleted: "Stage deleted.",
      restored: "Stage restored.",
      failed: { refused: "The stage was not restored.", unknown: "The stage may have been restored." },
      durationMs: 30_000,
    }),
    notifier,
    logger,
    onReturn: watchReturns,
    settleDraft: settlingEdits(drafts, DRAFT, draftAfter),
  });
});

function KeptEdits({ services }: { services: Services }) {
  const { restoreEdits } = useStagesEvents();
  useKeptEdits(services, {
    place: DRAFT,
    edits: useStages(selectDraft),
    isUnsaved: useStages(selectIsUnsaved),
    restore: useCallback((edits: string) => restoreEdits(rowsOfDraft(edits)), [restoreEdits]),
  });
  return null;
}
