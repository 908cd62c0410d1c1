import { useCallback, useEffect, useMemo, useRef } from "react";
import {
  SnippetsProvider,
  createSnippets,
  selectActive,
  selectForm,
  selectIsEditing,
  useSnippets,
  useSnippetsEvents,
} from "../../machines/snippets/index.ts";
import { createSnippetsGateway } from "../../services/snippets.ts";
import { SampleLeadProvider } from "../../views/preview/PlaceholderPreview.tsx";
import { SnippetsView } from "../../views/snippets/SnippetsView.tsx";
import { sampleLeadOf } from "../sample-lead.ts";
import type { Drafts } from "../../services/drafts.ts";
import type { Services } from "../services.ts";
import { forgettingDraft, useDraft } from "../use-draft.ts";

const nameOf = (id: string) => `snippet ${id}`;

export default function SnippetsRoute({ services }: { services: Services }) {
  const logic = useMemo(() => {
    const { http, notifier, logger } = services;
    const snippets = createSnippetsGateway(http);
    return createSnippets({
      snippets: {
        ...snippets,
        add: forgettingDraft(services, nameOf("new"), snippets.add),
        change: (input) => forgettingDraft(services, nameOf(input.id), snippets.change)(input),
      },
      notifier,
      logger,
    });
  }, [services]);
  return (
    <SampleLeadProvider value={sampleLeadOf(services)}>
      <SnippetsProvider logic={logic}>
        <KeptForm drafts={services.drafts} />
        <SnippetsView />
      </SnippetsProvider>
    </SampleLeadProvider>
  );
}

SnippetsRoute.firstReads = () => ["/api/snippets"];

/** What is typed into a snippet is there when it is opened again, until it is saved or cancelled. Of a chosen file its name is. */
function KeptForm({ drafts }: { drafts: Drafts }) {
  const isEditing = useSnippets(selectIsEditing);
  const id = useSnippets(selectActive)?.id ?? "new";
  const name = nameOf(id);
  const open = useRef<string | null>(null);
  useEffect(() => {
    if (!isEditing && open.current !== null) drafts.forget(open.current);
    open.current = isEditing ? name : null;
  }, [drafts, isEditing, name]);
  return isEditing ? <Keeping key={name} drafts={drafts} name={name} /> : null;
}

function Keeping({ drafts, name }: { drafts: Drafts; name: string }) {
  const active = useSnippets(selectActive);
  const { title, text, media, lostMedia } = useSnippets(selectForm);
  const { change } = useSnippetsEvents();
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
      change({ ...typed, ...(isFileGone && { media: null }) }),
    [change],
  );
  useDraft(drafts, { name, form, blank, restore });
  return null;
}
