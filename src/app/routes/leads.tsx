import { msg } from "@lingui/core/runtime-macro";
import { useEffect, useMemo, useState, useSyncExternalStore } from "react";
import * as v from "valibot";
import { placeOf, searchOf } from "../../machines/leads/leads.address.ts";
import type { LeadFilters, LeadsRequest } from "../../machines/leads/leads.filters.ts";
import { Leads, createLeads } from "../../machines/leads/leads.machine.ts";
import { readListOptions, wideColumns } from "../../machines/leads/leads.options.ts";
import { createScreenAddress } from "../../services/address.ts";
import type { Drafts } from "../../services/drafts.ts";
import { isWideScreen, watchWideScreen } from "../../services/wide-screen.ts";
import { LeadsView } from "../../views/leads/LeadsView.tsx";
import type { ExtraCells } from "../../views/leads/extra-cells.ts";
import { createPart } from "../loading/loadable.tsx";
import { leadsOf } from "../leads-of.ts";
import { useScrollPlace } from "../scroll-place.ts";
import type { Services } from "../services.ts";

export default function LeadsRoute({ services }: { services: Services }) {
  const { logic, input } = useMemo(() => listOf(services), [services]);
  return (
    <Leads.Provider logic={logic} options={{ input }}>
      <RestoredScroll />
      <FiltersDraft services={services} />
      <List services={services} />
    </Leads.Provider>
  );
}

const LeadTools = createPart(msg`the tools`, () => import("../lead-tools.tsx"));
const TOOLS_KEY = "leadloom.tools";

/** The plain list, with the additional tools if the user or the address asks for them. */
function List({ services }: { services: Services }) {
  const { storage } = services;
  const { more } = Leads.useSelector((list) => list.context.applied);
  const send = Leads.useSend();
  const [isOpen, setIsOpen] = useState(() => storage.get(TOOLS_KEY) !== null);
  const [cells, setCells] = useState<ExtraCells | null>(null);
  const isShown = isOpen || more !== "";
  const toggle = () => {
    setIsOpen(!isShown);
    if (!isShown) return storage.set(TOOLS_KEY, "open");
    storage.remove(TOOLS_KEY);
    // Filters set there would narrow the list without being visible.
    return send({ type: "filter.clear", fields: ["more"] });
  };
  const isWide = useSyncExternalStore(watchWideScreen, isWideScreen);
  // The current rows were read without the data of the additional columns.
  useEffect(() => watchWideScreen(() => isWideScreen() && send({ type: "list.refresh" })), [send]);
  const columns = useMemo(() => wideColumns(readListOptions(more), isWide), [more, isWide]);
  const renderTools = (areFiltersOpen: boolean) => (
    <LeadTools services={services} areFiltersOpen={areFiltersOpen} isWideScreen={isWide} onCells={setCells} />
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

/** Restores the scroll position after Back from a lead's page. */
function RestoredScroll() {
  useScrollPlace(Leads.useSelector((list) => list.context.shown !== null));
  return null;
}

const filtersDraft = (drafts: Drafts) =>
  drafts.of("lead filters", {
    name: v.string(),
    username: v.string(),
    stageId: v.string(),
    from: v.string(),
    to: v.string(),
    followups: v.string(),
    awaitingReply: v.picklist(["", "yes", "no"]),
    more: v.string(),
    over: v.string(),
    isTyped: v.boolean(),
  });

/** Typed filters belong to the applied filters they are based on; a list opened by another address starts without them. */
const overOf = (applied: LeadFilters) => searchOf({ filters: applied, page: 1 });

function readFiltersDraft(drafts: Drafts, applied: LeadFilters): Partial<LeadFilters> | null {
  const { over = "", isTyped = false, ...typed } = filtersDraft(drafts).read() ?? {};
  return isTyped && over === overOf(applied) ? typed : null;
}

function FiltersDraft({ services: { drafts } }: { services: Services }) {
  const typed = Leads.useSelector((list) => list.context.draft);
  const applied = Leads.useSelector((list) => list.context.applied);
  useEffect(() => {
    const isTyped = JSON.stringify(typed) !== JSON.stringify(applied);
    const over = isTyped ? overOf(applied) : "";
    filtersDraft(drafts).write({ ...typed, over, isTyped }, { ...applied, over: "", isTyped: false });
  }, [drafts, typed, applied]);
  return null;
}

/** Requests each conversation's newest message if the list shows them. */
function withLastMessages(request: LeadsRequest) {
  const options = readListOptions(placeOf(window.location.search).filters.more);
  const isPage = request.fields === undefined && request.limit > 1;
  return isPage && wideColumns(options, isWideScreen()).includes("last_message_at")
    ? { ...request, include: "last_message" }
    : request;
}

function listOf(services: Services) {
  const leads = leadsOf(services);
  const address = createScreenAddress("/leads");
  const logic = createLeads(services, {
    leads: { ...leads, list: (request, signal) => leads.list(withLastMessages(request), signal) },
    address,
  });
  const place = placeOf(address.read());
  return { logic, input: { ...place, typed: readFiltersDraft(services.drafts, place.filters) } };
}
