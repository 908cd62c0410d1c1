import { msg } from "@lingui/core/macro";
import { type ComponentType, useCallback, useEffect, useMemo } from "react";
import { useLocation } from "wouter";
import type { Field } from "../../domain/field.ts";
import type { Lead } from "../../domain/lead.ts";
import { failureOf } from "../../domain/problem.ts";
import type { Tag } from "../../domain/tag.ts";
import { Catalog, Fields, Tags, itemsAs } from "../machines/catalog/catalog.machine.ts";
import { queryOf } from "../machines/leads/leads.filters.ts";
import { Leads, selectStages } from "../machines/leads/leads.machine.ts";
import {
  ENTERED,
  type ExtraColumn,
  FOUND,
  extraColumns,
  hiddenColumns,
  isByEntry,
  shownColumns,
} from "../machines/leads/leads.options.ts";
import { Selection, type SelectionRef } from "../machines/selection/selection.machine.ts";
import { LeadImport, createLeadImport } from "../machines/lead-import/lead-import.machine.ts";
import { createLeadFilesGateway, saveCsv } from "../services/lead-files.ts";
import type { BatchWhere } from "../services/batch.ts";
import { createNamedLeads, namedLeadsKey } from "../services/named-leads.ts";
import { BatchBar } from "../views/lead-tools/BatchBar.tsx";
import { ColumnCell, ColumnHead } from "../views/lead-tools/extra-columns.tsx";
import { ListTools } from "../views/lead-tools/ListTools.tsx";
import { useListOptions } from "../views/lead-tools/use-list-options.ts";
import { SavedViews } from "../views/lead-tools/SavedViews.tsx";
import { ImportPanel } from "../views/lead-tools/ImportPanel.tsx";
import { HeaderCheckbox, RowCheckbox } from "../views/lead-tools/selection-cells.tsx";
import type { ExtraCells } from "../views/leads/extra-cells.ts";
import { INSIDE } from "../ui/inside.ts";
import { catalogsOf } from "./catalogs.ts";
import { CatalogDraft } from "./catalog-draft.tsx";
import { selectionOf } from "./selection.ts";
import type { Services } from "./services.ts";

type LeadToolsProps = {
  services: Services;
  areFiltersOpen: boolean;
  isWideScreen: boolean;
  /** Passes additional cells to the list; null removes them. */
  onCells: (cells: ExtraCells | null) => void;
};

/** The tools of the leads list: search, saved views, columns, and actions on selected leads. */
export default function LeadTools({ services, areFiltersOpen, isWideScreen, onCells }: LeadToolsProps) {
  const send = Leads.useSend();
  const refresh = useCallback(() => send({ type: "list.refresh" }), [send]);
  const { selection, changed, bar } = selectionOf(services);
  useEffect(() => changed.listen(refresh), [changed, refresh]);
  useEffect(() => bar.raise(), [bar]);
  // The selection ends with the list; a running batch does not.
  useEffect(() => () => selection.send({ type: "selection.clear" }), [selection]);
  const importLogic = useMemo(() => createLeadImport(services, { onImported: refresh }), [services, refresh]);
  const onExport = useExport(services);
  const { tags, fields, views } = catalogsOf(services);
  return (
    <Selection.ActorProvider value={selection}>
      <Tags.Provider logic={tags}>
        <Fields.Provider logic={fields}>
          <ListTools
            areFiltersOpen={areFiltersOpen}
            isWideScreen={isWideScreen}
            onExport={onExport}
            importing={
              <LeadImport.Provider logic={importLogic}>
                <ImportPanel />
              </LeadImport.Provider>
            }
            views={
              <Catalog.Provider logic={views}>
                <CatalogDraft services={services} />
                <SavedViews />
              </Catalog.Provider>
            }
          />
          <ShownList />
          <Cells selection={selection} onCells={onCells} />
          <Bar services={services} />
        </Fields.Provider>
      </Tags.Provider>
    </Selection.ActorProvider>
  );
}

/** Saves all leads that match the filters as a file, in the list's order. */
function useExport({ http, notifier, logger, clock }: Services): () => Promise<void> {
  const filters = Leads.useSelector((list) => list.context.applied);
  return async () => {
    try {
      const text = await createLeadFilesGateway(http).exportFile(queryOf(filters));
      saveCsv(text, `leads-${new Date(clock.now()).toISOString().slice(0, 10)}.csv`);
    } catch (error) {
      logger.warn("leads were not exported", error);
      notifier.warn(failureOf(error).message ?? msg`The leads were not exported. Try again.`);
    }
  };
}

function ShownList() {
  const leads = Leads.useSelector((list) => list.context.leads);
  const total = Leads.useSelector((list) => list.context.total);
  const filters = Leads.useSelector((list) => list.context.shown?.filters ?? null);
  const send = Selection.useSend();
  useEffect(() => {
    if (filters === null) return;
    send({ type: "list.shown", list: { ids: leads.map(({ id }) => id), query: queryOf(filters), total } });
  }, [leads, total, filters, send]);
  return null;
}

function Bar({ services }: { services: Services }) {
  const stages = Leads.useSelector(selectStages);
  const tags = Tags.useSelector(itemsAs<Tag>());
  const [, navigate] = useLocation();
  const write = (where: BatchWhere) => {
    const named = createNamedLeads(services.sessionStorage, namedLeadsKey(services.userId()));
    const whom = "query" in where ? { to: where.query } : { leads: named.keep(where.ids) };
    navigate(`/bulk-message?${new URLSearchParams(whom)}`, { state: INSIDE });
  };
  return <BatchBar stages={stages} tags={tags} onMessage={write} />;
}

/** The additional cells: a checkbox first, chosen columns before the actions, and the matched text of a search. */
function Cells({ selection, onCells }: { selection: SelectionRef; onCells: LeadToolsProps["onCells"] }) {
  const [options] = useListOptions();
  const fields = Fields.useSelector(itemsAs<Field>());
  const shown = shownColumns(options, false).join(",");
  const hidden = hiddenColumns(options);
  const isSearched = options.q !== "";
  const isEntryShown = isByEntry(options);
  // Stable while columns change, so that a checkbox keeps the focus.
  const ticks = useMemo(() => ticksOf(selection), [selection]);
  useEffect(() => {
    const ids = shown.split(",");
    const chosen = extraColumns(fields).filter(({ id }) => ids.includes(id));
    const columns = [...(isSearched ? [FOUND] : []), ...(isEntryShown ? [ENTERED] : []), ...chosen];
    onCells({ ...ticks, ...cellsOf(columns, hidden) });
  }, [ticks, fields, shown, hidden, isSearched, isEntryShown, onCells]);
  useEffect(() => () => onCells(null), [onCells]);
  return null;
}

function ticksOf(selection: SelectionRef): Pick<ExtraCells, "HeadStart" | "RowStart"> {
  const within =
    <Props extends object>(Cell: ComponentType<Props>) =>
    (props: Props) => (
      <Selection.ActorProvider value={selection}>
        <Cell {...props} />
      </Selection.ActorProvider>
    );
  return { HeadStart: within(HeaderCheckbox), RowStart: within<{ lead: Lead }>(RowCheckbox) };
}

const cellsOf = (columns: readonly ExtraColumn[], hidden: string) => ({
  count: 1 + columns.length,
  hidden,
  HeadMore: () => columns.map((column) => <ColumnHead key={column.id} column={column} />),
  RowMore: ({ lead }: { lead: Lead }) =>
    columns.map((column) => <ColumnCell key={column.id} column={column} lead={lead} />),
});
