import { useEffect, useMemo } from "react";
import {
  LeadsProvider,
  type ListPlace,
  createLeads,
  placeOf,
  searchOf,
  selectApplied,
  selectDraft,
  selectHasList,
  useLeads,
} from "../../machines/leads/index.ts";
import { createScreenAddress } from "../../services/address.ts";
import { LeadsView } from "../../views/leads/LeadsView.tsx";
import { keepFilters, keptFilters } from "../kept-filters.ts";
import { leadWorkOf, leadsOf } from "../leads-of.ts";
import { useScrollPlace } from "../scroll-place.ts";
import type { Services } from "../services.ts";

export default function LeadsRoute({ services }: { services: Services }) {
  const { logic, input } = useMemo(() => listOf(services), [services]);
  return (
    <LeadsProvider logic={logic} options={{ input }}>
      <Place />
      <KeptFilters services={services} />
      <LeadsView />
    </LeadsProvider>
  );
}

/** Back from a lead's page finds the list as far down as it was left. */
function Place() {
  useScrollPlace(useLeads(selectHasList));
  return null;
}

/** Filters typed and not applied are there after a reload. */
function KeptFilters({ services: { drafts } }: { services: Services }) {
  const typed = useLeads(selectDraft);
  const applied = useLeads(selectApplied);
  useEffect(() => keepFilters(drafts, typed, applied), [drafts, typed, applied]);
  return null;
}

function listOf(services: Services) {
  const { events, logger } = services;
  const { list, read: readLead } = leadsOf(services);
  const { reads, row, drafts } = leadWorkOf(services);
  const address = createScreenAddress("/leads");
  const read = () => placeOf(address.read());
  const logic = createLeads({
    leads: { list, read: readLead, ...reads },
    row,
    drafts,
    events,
    address: {
      read,
      write: (place: ListPlace) => address.write(searchOf(place)),
      correct: (place: ListPlace) => address.correct(searchOf(place)),
      subscribe: address.subscribe,
    },
    logger,
  });
  const place = read();
  return { logic, input: { ...place, typed: keptFilters(services.drafts, place.filters) } };
}
