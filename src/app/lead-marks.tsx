import { useEffect, useMemo } from "react";
import type { LeadDetail } from "../../domain/lead-detail.ts";
import { Fields, Tags } from "../machines/catalog/index.ts";
import {
  LeadMarksProvider,
  type MarkedLead,
  createLeadMarks,
  useLeadMarksEvents,
} from "../machines/lead-marks/index.ts";
import { createExclusionsGateway } from "../services/exclusions.ts";
import { createLeadMarksGateway } from "../services/lead-marks.ts";
import { LeadMarks } from "../views/lead-panel/LeadMarks.tsx";
import { catalogsOf } from "./catalogs.ts";
import type { Services } from "./services.ts";

export type LeadMarksPlaceProps = { services: Services; lead: LeadDetail; onChanged: () => void };

/** Tags and fields in a lead's panel, with the services behind them. */
export default function LeadMarksPlace({ services, lead, onChanged }: LeadMarksPlaceProps) {
  const logic = useMemo(() => {
    const { http, notifier, logger } = services;
    const { exclude, restore } = createExclusionsGateway(http);
    return createLeadMarks({
      marks: { ...createLeadMarksGateway(http), exclude, restore },
      notifier,
      logger,
      onChanged,
    });
  }, [services, onChanged]);
  const { id, name, tags, fields } = lead;
  const marked = useMemo(() => ({ id, name, tags, fields }), [id, name, tags, fields]);
  const catalogs = catalogsOf(services);
  return (
    <Tags.Provider {...catalogs.tags}>
      <Fields.Provider {...catalogs.fields}>
        <LeadMarksProvider logic={logic} options={{ input: { lead: marked } }}>
          <Newest lead={marked} />
          <LeadMarks />
        </LeadMarksProvider>
      </Fields.Provider>
    </Tags.Provider>
  );
}

/** The chart hears of each newer reading. */
function Newest({ lead }: { lead: MarkedLead }) {
  const { read } = useLeadMarksEvents();
  useEffect(() => read(lead), [lead, read]);
  return null;
}
