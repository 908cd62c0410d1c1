import { useMemo } from "react";
import { BulkJobProvider, createBulkJob, readJob } from "../../machines/bulk-job/index.ts";
import { createBulkGateway } from "../../services/bulk.ts";
import { BulkMessageView } from "../../views/bulk-message/BulkMessageView.tsx";
import type { Services } from "../services.ts";

export default function BulkMessageRoute({ services }: { services: Services }) {
  const { sender, remembered } = useMemo(() => logicOf(services), [services]);
  return (
    <BulkJobProvider logic={sender} options={{ input: { remembered } }}>
      <BulkMessageView />
    </BulkJobProvider>
  );
}

function logicOf(services: Services) {
  const { http, events, sessionStorage, notifier, logger } = services;
  const jobKey = `leadloom.bulk_job.${services.userId()}`;
  return {
    remembered: readJob(sessionStorage.get(jobKey)),
    sender: createBulkJob({
      bulk: createBulkGateway(http),
      notifier,
      news: { onJobChanged: (listener) => events.subscribe("bulk.changed", listener) },
      jobMemory: {
        write: (text) => sessionStorage.set(jobKey, text),
        clear: () => sessionStorage.remove(jobKey),
      },
      logger,
    }),
  };
}
