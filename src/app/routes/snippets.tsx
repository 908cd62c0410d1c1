import { useCallback, useEffect, useMemo, useRef } from "react";
import { Snippets, createSnippets, draftNameOf, selectIsEditing } from "../../machines/snippets/snippets.machine.ts";
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
        <KeptForm drafts={services.drafts} />
        <SnippetsView />
      </Snippets.Provider>
    </SampleLeadProvider>
  );
}

/** What is typed into a snippet is there when it is opened again, until it is saved or cancelled. Of a chosen file its name is. */
function KeptForm({ drafts }: { drafts: Drafts }) {
  const isEditing = Snippets.useSelector(selectIsEditing);
  const name = Snippets.useSelector(({ context }) => draftNameOf(context.active?.id ?? null));
  const open = useRef<string | null>(null);
  useEffect(() => {
    if (!isEditing && open.current !== null) drafts.forget(open.current);
    open.current = isEditing ? name : null;
  }, [drafts, isEditing, name]);
  return isEditing ? <Keeping key={name} drafts={drafts} name={name} /> : null;
}

function Keeping({ drafts, name }: { drafts: Drafts; name: string }) {
  const active = Snippets.useSelector(({ context }) => context.active);
  const { title, text, media, lostMedia } = Snippets.useSelector(({ context }) => context.form);
  const send = Snippets.useSend();
  const form = useMemo(
    () => ({ title, text, lostMedia: media instanceof File ? media.name : lostMedia, isFileGone: media === null }),
    [title, text, media, lostMedia],
  );
  const blank = useMemo(
    () => ({ title: active?.title ?? "", text: active?.text ?? "", lostMedia: "", isFileGone: false }),
    [active],
  );
  const restore = useCallback(
    ({ isFileGone = false, ...typed }: Partial<typeof blank>) =>
      send({ type: "form.change", change: { ...typed, ...(isFileGone && { media: null }) } }),
    [send],
  );
  useDraft(drafts, { name, form, blank, restore });
  return null;
}
