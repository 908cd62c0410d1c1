import { useActorRef } from "@xstate/react";
import { type ComponentType, useEffect, useMemo, useRef } from "react";
import type { Lead } from "../../domain/lead.ts";
import {
  queryOf,
  selectApplied,
  selectHasList,
  selectLeads,
  selectStages,
  selectTotal,
  useLeads,
  useLeadsEvents,
} from "../machines/leads/index.ts";
import {
  SelectionActorProvider,
  type SelectionRef,
  createSelection,
  useSelectionEvents,
} from "../machines/selection/index.ts";
import { Tags, itemsAs } from "../machines/catalog/index.ts";
import type { Tag } from "../../domain/tag.ts";
import { createBatchGateway } from "../services/batch.ts";
import { BatchBar } from "../views/lead-tools/BatchBar.tsx";
import { HeadTick, RowTick } from "../views/lead-tools/selection-cells.tsx";
import type { ExtraCells } from "../views/leads/extra-cells.ts";
import { catalogsOf } from "./catalogs.ts";
import type { Services } from "./services.ts";

export type LeadToolsProps = {
  services: Services;
  /** Hands the list the cells that stand beside its own, and null when they go. */
  onCells: (cells: ExtraCells | null) => void;
};

/** What goes beyond the plain list: choosing leads and doing something with all of them. */
export default function LeadTools({ services, onCells }: LeadToolsProps) {
  const { refresh } = useLeadsEvents();
  const isHere = useRef(true);
  useEffect(() => {
    isHere.current = true;
    return () => void (isHere.current = false);
  }, []);
  const logic = useMemo(() => {
    const { http, notifier, logger, events } = services;
    const onChanged = () => isHere.current && refresh();
    return createSelection({ batch: createBatchGateway(http), events, notifier, logger, onChanged });
  }, [services, refresh]);
  const selection = useActorRef(logic) as SelectionRef;
  useEffect(() => {
    onCells(cellsOf(selection));
    return () => onCells(null);
  }, [selection, onCells]);
  const { tags } = catalogsOf(services);
  return (
    <SelectionActorProvider value={selection}>
      <ShownList />
      <Tags.Provider {...tags}>
        <Bar />
      </Tags.Provider>
    </SelectionActorProvider>
  );
}

/** The selection hears what the list shows. */
function ShownList() {
  const leads = useLeads(selectLeads);
  const total = useLeads(selectTotal);
  const applied = useLeads(selectApplied);
  const hasList = useLeads(selectHasList);
  const { showList } = useSelectionEvents();
  useEffect(() => {
    if (hasList) showList({ ids: leads.map(({ id }) => id), query: queryOf(applied), total });
  }, [hasList, leads, total, applied, showList]);
  return null;
}

function Bar() {
  const stages = useLeads(selectStages);
  const tags = Tags.use(itemsAs<Tag>());
  return <BatchBar stages={stages} tags={tags} />;
}

function cellsOf(selection: SelectionRef): ExtraCells {
  const within =
    <Props extends object>(Cell: ComponentType<Props>) =>
    (props: Props) => (
      <SelectionActorProvider value={selection}>
        <Cell {...props} />
      </SelectionActorProvider>
    );
  return {
    count: 1,
    HeadStart: within(HeadTick),
    HeadEnd: () => null,
    RowStart: within<{ lead: Lead }>(RowTick),
    RowEnd: () => null,
  };
}
