import { useEffect, useMemo } from "react";
import type { StageDraft } from "../../../domain/stage.ts";
import { KeywordLab, createKeywordLab } from "../../machines/keyword-lab/keyword-lab.machine.ts";
import { NO_EDITS, rowsDraft } from "../../machines/stages/stages.draft.ts";
import { Stages, createStages, selectDraft, selectIsUnsaved } from "../../machines/stages/stages.machine.ts";
import { wordsOf } from "../../machines/stages/stages.rows.ts";
import { KeywordLabSection } from "../../views/stages/KeywordLab.tsx";
import { StagesView } from "../../views/stages/StagesView.tsx";
import { memoizeByServices } from "../lifetime.ts";
import type { Services } from "../services.ts";
import { useUnsavedWork } from "../unsaved-work.ts";
import { useDraft } from "../use-draft.ts";

export default function StagesRoute({ services }: { services: Services }) {
  return (
    <Stages.Provider logic={logicOf(services)}>
      <EditsDraft services={services} />
      <StagesView lab={<LabContainer services={services} />} />
    </Stages.Provider>
  );
}

const labOf = memoizeByServices((services) => createKeywordLab(services));

/** Passes the keywords to the lab as the user types. */
function LabContainer({ services }: { services: Services }) {
  const rows = Stages.useSelector(({ context }) => context.rows);
  const words = useMemo(() => wordsOf(rows), [rows]);
  return (
    <KeywordLab.Provider logic={labOf(services)} options={{ input: { words } }}>
      <EditedKeywords words={words} />
      <KeywordLabSection />
    </KeywordLab.Provider>
  );
}

function EditedKeywords({ words }: { words: readonly StageDraft[] }) {
  const send = KeywordLab.useSend();
  useEffect(() => send({ type: "words.edited", words }), [send, words]);
  return null;
}

/** One per page: a save may still be running when the user opens the screen again. */
const logicOf = memoizeByServices((services) => createStages(services));

/** Unsaved edits ask for confirmation before the user leaves, and survive a reload. */
function EditsDraft({ services: { drafts, leaving } }: { services: Services }) {
  const draft = rowsDraft(drafts);
  const rows = Stages.useSelector(selectDraft);
  const send = Stages.useSend();
  useDraft(draft, {
    form: rows === null ? null : { rows },
    server: NO_EDITS,
    restore: ({ rows: stored = [] }) => send({ type: "edits.restore", rows: stored }),
  });
  useUnsavedWork(leaving, Stages.useSelector(selectIsUnsaved), { onDiscarded: draft.forget });
  return null;
}
