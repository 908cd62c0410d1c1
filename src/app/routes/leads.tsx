import { useCallback, useEffect, useMemo, useState } from "react";
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
  useLeadsEvents,
} from "../../machines/leads/index.ts";
import { createScreenAddress } from "../../services/address.ts";
import { LEADS_ADDRESSES } from "../../services/addresses.ts";
import { LeadsView } from "../../views/leads/LeadsView.tsx";
import type { ExtraCells } from "../../views/leads/extra-cells.ts";
import { keepFilters, keptFilters } from "../kept-filters.ts";
import { createLater } from "../later.tsx";
import type { LeadToolsProps } from "../lead-tools.tsx";
import { leadWorkOf, leadsOf } from "../leads-of.ts";
import { useScrollPlace } from "../scroll-place.ts";
import type { Services } from "../services.ts";

export default function LeadsRoute({ services }: { services: Services }) {
  const { logic, input } = useMemo(() => listOf(services), [services]);
  return (
    <LeadsProvider logic={logic} options={{ input }}>
      <Place />
      <KeptFilters services={services} />
      <List services={services} />
    </LeadsProvider>
  );
}

LeadsRoute.firstReads = () => LEADS_ADDRESSES;

const LeadTools = createLater<LeadToolsProps>("the tools", () => import("../lead-tools.tsx"));
const TOOLS_KEY = "leadloom.tools";

/** The plain list, and what goes beyond it where the person or the address wants that. */
function List({ services }: { services: Services }) {
  const { storage } = services;
  const { more } = useLeads(selectApplied);
  const { clearFilter } = useLeadsEvents();
  const [isOpen, setIsOpen] = useState(() => storage.get(TOOLS_KEY) !== null);
  const [cells, setCells] = useState<ExtraCells | null>(null);
  const isShown = isOpen || more !== "";
  const toggle = useCallback(() => {
    setIsOpen(!isShown);
    if (!isShown) return storage.set(TOOLS_KEY, "open");
    storage.remove(TOOLS_KEY);
    // What is set there would narrow the list unseen.
    return clearFilter(["more"]);
  }, [isShown, storage, clearFilter]);
  const tools = isShown ? <LeadTools services={services} onCells={setCells} /> : null;
  return <LeadsView onTools={toggle} tools={tools} extras={cells} onNextNear={leadsOf(services).listAhead} />;
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
