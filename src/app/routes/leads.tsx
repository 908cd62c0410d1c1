import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from "react";
import {
  LeadsProvider,
  type LeadsRequest,
  type ListPlace,
  createLeads,
  placeOf,
  readMore,
  roomColumns,
  searchOf,
  selectApplied,
  selectDraft,
  selectHasList,
  useLeads,
  useLeadsEvents,
} from "../../machines/leads/index.ts";
import { createScreenAddress } from "../../services/address.ts";
import { leadsAddresses } from "../../services/addresses.ts";
import { createFollowupSends } from "../../services/followup-sends.ts";
import { createNotesDrafts } from "../../services/leads.ts";
import { hasRoom, watchRoom } from "../../services/room.ts";
import { createStagesList } from "../../services/stages-list.ts";
import { LeadsView } from "../../views/leads/LeadsView.tsx";
import type { ExtraCells } from "../../views/leads/extra-cells.ts";
import { keepFilters, keptFilters } from "../kept-filters.ts";
import { createLater } from "../later.tsx";
import type { LeadToolsProps } from "../lead-tools.tsx";
import { leadsOf } from "../leads-of.ts";
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

LeadsRoute.firstReads = leadsAddresses;

const LeadTools = createLater<LeadToolsProps>("the tools", () => import("../lead-tools.tsx"));
const TOOLS_KEY = "leadloom.tools";

/** The plain list, and what goes beyond it where the person or the address wants that. */
function List({ services }: { services: Services }) {
  const { storage } = services;
  const { more } = useLeads(selectApplied);
  const { clearFilter, refresh } = useLeadsEvents();
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
  const isRoomy = useSyncExternalStore(watchRoom, hasRoom);
  // The rows on the screen were read without what the further columns show.
  useEffect(() => watchRoom(() => hasRoom() && refresh()), [refresh]);
  const columns = useMemo(() => roomColumns(readMore(more), isRoomy), [more, isRoomy]);
  const renderTools = (areFiltersOpen: boolean) => (
    <LeadTools services={services} areFiltersOpen={areFiltersOpen} hasRoom={isRoomy} onCells={setCells} />
  );
  return (
    <LeadsView
      onTools={toggle}
      renderTools={isShown ? renderTools : null}
      columns={columns}
      extras={cells}
      onNextNear={(request) => leadsOf(services).listAhead(withLastMessages(request))}
    />
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

/** Asks for the newest words of each conversation where the list shows them. */
function withLastMessages(request: LeadsRequest) {
  const more = readMore(placeOf(window.location.search).filters.more);
  const isPage = request.fields === undefined && request.limit > 1;
  return isPage && roomColumns(more, hasRoom()).includes("last_message_at")
    ? { ...request, include: "last_message" }
    : request;
}

function listOf(services: Services) {
  const { http, events, logger } = services;
  const leads = leadsOf(services);
  const { list, read: readLead } = leads;
  const address = createScreenAddress("/leads");
  const read = () => placeOf(address.read());
  const logic = createLeads({
    leads: {
      list: (request, signal) => list(withLastMessages(request), signal),
      read: readLead,
      listStages: createStagesList(http),
      listFollowups: createFollowupSends(http).list,
    },
    page: services,
    row: { leads },
    drafts: createNotesDrafts(services.sessionStorage),
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
