import { useState } from "react";
import { useLocation } from "wouter";
import { InboxView } from "../../views/inbox/InboxView.tsx";
import { LeadPanelPlace } from "../lead-panel.tsx";
import { leadIdOf } from "../routing.ts";
import type { Services } from "../services.ts";

export default function InboxRoute({ services }: { services: Services }) {
  const [path] = useLocation();
  const leadId = leadIdOf(path);
  const [isPanelOpen] = useState(false);
  return (
    <InboxView
      list={<h1>Inbox</h1>}
      conversation={leadId && <div key={leadId}>{leadId}</div>}
      panel={leadId && <LeadPanelPlace key={leadId} services={services} leadId={leadId} />}
      isPanelOpen={isPanelOpen}
    />
  );
}
