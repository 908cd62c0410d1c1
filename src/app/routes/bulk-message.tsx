import { useMemo } from "react";
import { type BulkTarget, EVERY_STAGE, bulkTargetKey, bulkTargetOf } from "../../../domain/bulk-target.ts";
import { THROTTLE_DEFAULT_SECONDS } from "../../../domain/limits.ts";
import { BulkJob, createBulkJob } from "../../machines/bulk-job/bulk-job.machine.ts";
import { bulkDraft, readJob } from "../../machines/bulk-job/bulk-job.memory.ts";
import { createScreenAddress } from "../../services/address.ts";
import { createBulkGateway } from "../../services/bulk.ts";
import { createNamedLeads, namedLeadsKey } from "../../services/named-leads.ts";
import type { FormDraft } from "../../views/bulk-message/BulkForm.tsx";
import { BulkMessageView } from "../../views/bulk-message/BulkMessageView.tsx";
import { SampleLeadProvider } from "../../views/preview/PlaceholderPreview.tsx";
import { memoizeByServices } from "../lifetime.ts";
import { bulkRecipientOf } from "../sample-lead.ts";
import type { Services } from "../services.ts";

export default function BulkMessageRoute({ services }: { services: Services }) {
  const { sender, input, draft, preflight } = useMemo(() => logicOf(services), [services]);
  return (
    <SampleLeadProvider value={bulkRecipientOf(services)}>
      <BulkJob.Provider logic={sender} options={{ input }}>
        <BulkMessageView draft={draft} whom={{ preflight, logger: services.logger }} />
      </BulkJob.Provider>
    </SampleLeadProvider>
  );
}

/** A chosen file survives leaving the screen, but not a reload. */
const mediaOf = memoizeByServices(() => ({ file: null as File | null }));

function logicOf(services: Services) {
  const { sessionStorage } = services;
  const jobKey = `leadloom.bulk_job.${services.userId()}`;
  const storedDraft = bulkDraft(services.drafts);
  const media = mediaOf(services);
  const named = createNamedLeads(sessionStorage, namedLeadsKey(services.userId()));
  const bulk = createBulkGateway(services, named.read);
  const chosen = bulkTargetOf(window.location.search);
  const draft: FormDraft = {
    typed: {
      ...storedDraft,
      write(form, blank) {
        storedDraft.write(form, blank);
        // Another target was chosen in the meantime; do not return to the one in the address.
        if (chosen !== null && bulkTargetKey(form.target) !== bulkTargetKey(chosen))
          createScreenAddress("/bulk-message").correct("");
      },
    },
    media: () => media.file,
    keepMedia: (file) => (media.file = file),
  };
  return {
    draft,
    preflight: (target: BulkTarget, signal: AbortSignal) =>
      bulk.preflight({ target, throttle: String(THROTTLE_DEFAULT_SECONDS), messageLength: 0 }, signal),
    input: {
      remembered: readJob(sessionStorage.get(jobKey)),
      target: chosen ?? storedDraft.read()?.target ?? EVERY_STAGE,
      media: media.file,
    },
    sender: createBulkJob(services, {
      bulk,
      jobMemory: {
        write: (text) => sessionStorage.set(jobKey, text),
        clear: () => sessionStorage.remove(jobKey),
      },
      forgetDraft() {
        media.file = null;
        storedDraft.forget();
      },
    }),
  };
}
