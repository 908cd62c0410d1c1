import { useCallback, useEffect, useMemo } from "react";
import type { StageDraft } from "../../../domain/stage.ts";
import { KeywordLab, createKeywordLab } from "../../machines/keyword-lab/keyword-lab.machine.ts";
import { draftAfter, rowsOfDraft } from "../../machines/stages/stages.draft.ts";
import { Stages, createStages, selectDraft, selectIsUnsaved } from "../../machines/stages/stages.machine.ts";
import { wordsOf } from "../../machines/stages/stages.rows.ts";
import { KeywordLabSection } from "../../views/stages/KeywordLab.tsx";
import { StagesView } from "../../views/stages/StagesView.tsx";
import { settlingEdits, useKeptEdits } from "../kept-edits.ts";
import { onceAPage } from "../once-a-page.ts";
import type { Services } from "../services.ts";

const DRAFT = { name: "stages", field: "rows" };

export default function StagesRoute({ services }: { services: Services }) {
  return (
    <Stages.Provider logic={logicOf(services)}>
      <KeptEdits services={services} />
      <StagesView lab={<LabPlace services={services} />} />
    </Stages.Provider>
  );
}

const labOf = onceAPage((services) => createKeywordLab(services));

/** Gives the lab the words as they are typed. */
function LabPlace({ services }: { services: Services }) {
  const rows = Stages.useSelector(({ context }) => context.rows);
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
const logicOf = onceAPage((services) =>
  createStages(services, { settleDraft: settlingEdits(services.drafts, DRAFT, draftAfter) }),
);

function KeptEdits({ services }: { services: Services }) {
  const send = Stages.useSend();
  useKeptEdits(services, {
    place: DRAFT,
    edits: Stages.useSelector(selectDraft),
    isUnsaved: Stages.useSelector(selectIsUnsaved),
    restore: useCallback((edits: string) => send({ type: "edits.restore", rows: rowsOfDraft(edits) }), [send]),
  });
  return null;
}
