import { useEffect, useMemo, useRef } from "react";
import { Snippets, createSnippets, selectIsEditing, snippetDraft } from "../../machines/snippets/snippets.machine.ts";
import { SampleLeadProvider } from "../../views/preview/PlaceholderPreview.tsx";
import { SnippetsView } from "../../views/snippets/SnippetsView.tsx";
import { sampleLeadOf } from "../sample-lead.ts";
import type { Drafts } from "../../services/drafts.ts";
import type { Services } from "../services.ts";
import { useDraft } from "../use-draft.ts";

export default function SnippetsRoute({ services }: { services: Services }) {
  const logic = useMemo(() => createSnippets(services), [services]);
  return (
    <SampleLeadProvider value={sampleLeadOf(services)}>
      <Snippets.Provider logic={logic}>
        <FormDraft drafts={services.drafts} />
        <SnippetsView />
      </Snippets.Provider>
    </SampleLeadProvider>
  );
}

/** Stores what the user types into a snippet until it is saved or cancelled. Of a chosen file only the name is stored. */
function FormDraft({ drafts }: { drafts: Drafts }) {
  const isEditing = Snippets.useSelector(selectIsEditing);
  const id = Snippets.useSelector(({ context }) => context.active?.id ?? null);
  const draft = snippetDraft(drafts, id);
  const open = useRef<typeof draft | null>(null);
  useEffect(() => {
    if (!isEditing) open.current?.forget();
    open.current = isEditing ? draft : null;
  }, [isEditing, draft]);
  return isEditing ? <Keeping key={id} draft={draft} /> : null;
}

function Keeping({ draft }: { draft: ReturnType<typeof snippetDraft> }) {
  const active = Snippets.useSelector(({ context }) => context.active);
  const { title, text, media, lostMedia } = Snippets.useSelector(({ context }) => context.form);
  const send = Snippets.useSend();
  useDraft(draft, {
    form: { title, text, lostMedia: media instanceof File ? media.name : lostMedia, isFileGone: media === null },
    server: { title: active?.title ?? "", text: active?.text ?? "", lostMedia: "", isFileGone: false },
    restore: ({ isFileGone = false, ...typed }) =>
      send({ type: "form.change", change: { ...typed, ...(isFileGone && { media: null }) } }),
  });
  return null;
}
