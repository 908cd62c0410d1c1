import { t } from "@lingui/core/macro";
import { Columns3, Download, ListFilter, Search, Star, Upload } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { translate } from "#language";
import type { Field } from "../../../domain/field.ts";
import { Fields, itemsAs } from "../../machines/catalog/catalog.machine.ts";
import {
  OWN_COLUMNS,
  WIDE_COLUMNS,
  extraColumns,
  filterCount,
  shownColumns,
  sortsOf,
  withColumn,
} from "../../machines/leads/leads.options.ts";
import { ActionSelect } from "../../ui/ActionSelect.tsx";
import { Button } from "../../ui/Button.tsx";
import { TextField } from "../../ui/Field.tsx";
import { FieldsMark, TagsMark } from "../catalog/CatalogMarks.tsx";
import { MoreFilters } from "./MoreFilters.tsx";
import { useDraftOver } from "../../ui/hooks.ts";
import { SelectPage } from "./selection-cells.tsx";
import { useListOptions } from "./use-list-options.ts";
import { Box, Note, Row, Stack } from "../../ui/layout.tsx";
import css from "./LeadTools.module.css";
import { submitting } from "../../ui/form.tsx";

type Panel = "filters" | "columns" | "views" | "import";

type ListToolsProps = {
  /** Whether the filters of the card layout are open: the tools' filters are shown with them. */
  areFiltersOpen: boolean;
  isWideScreen: boolean;
  views: ReactNode;
  importing: ReactNode;
  /** Saves the matches as a file. */
  onExport: () => Promise<void>;
};

/** Search, filters, order, columns and saved views above the list. */
export function ListTools({ areFiltersOpen, isWideScreen, views, importing, onExport }: ListToolsProps) {
  const [options, change] = useListOptions();
  const fields = Fields.useSelector(itemsAs<Field>());
  const [open, setOpen] = useState<Panel | null>(null);
  const panelId = useId();
  const [isExporting, setIsExporting] = useState(false);
  const save = async () => {
    setIsExporting(true);
    await onExport();
    setIsExporting(false);
  };
  const count = filterCount(options);
  const toggleOf = (panel: Panel) => ({
    "aria-expanded": open === panel,
    "aria-controls": panelId,
    onClick: () => setOpen(open === panel ? null : panel),
  });
  return (
    <Stack gap={3} after={4} className={css["tools"]} data-filters={areFiltersOpen || undefined}>
      <Row wraps gap={2} className={css["line"]} data-fields="small">
        <SelectPage />
        <SearchBox q={options.q} onSearch={(q) => change({ q })} />
        <ActionSelect label={t`Order`} isLabelHidden value={options.sort} onChoose={(sort) => change({ sort })}>
          {sortsOf(fields).map(({ sort, label }) => (
            <option key={sort} value={sort}>
              {t(label)}
            </option>
          ))}
        </ActionSelect>
        <Tool icon={<ListFilter />} data-tool="filters" {...toggleOf("filters")}>
          {count === 0 ? t`More filters` : t`More filters (${count})`}
        </Tool>
        <Tool icon={<Columns3 />} {...toggleOf("columns")}>
          {t`Columns`}
        </Tool>
        <Tool icon={<Star />} {...toggleOf("views")}>
          {t`Views`}
        </Tool>
        <Tool icon={<Download />} isPending={isExporting} onClick={() => void save()}>
          {t`Export`}
        </Tool>
        <Tool icon={<Upload />} {...toggleOf("import")}>
          {t`Import`}
        </Tool>
      </Row>
      {areFiltersOpen && open !== "filters" && (
        <Box surface="card" pad={4} className={css["filtersPanel"]}>
          <MoreFilters />
        </Box>
      )}
      <TagsMark />
      <FieldsMark />
      <Box surface="card" pad={4} id={panelId} hidden={open === null}>
        {open === "filters" && <MoreFilters />}
        {open === "columns" && <ColumnsPanel fields={fields} isWideScreen={isWideScreen} />}
        {open === "views" && views}
        {open === "import" && importing}
      </Box>
    </Stack>
  );
}

type ToolProps = Parameters<typeof Button>[0] & { icon: ReactNode };

const Tool = ({ icon, children, ...props }: ToolProps) => (
  <Button size="small" className={css["act"]} {...props}>
    {icon}
    <span className={css["toolWords"]}>{children}</span>
  </Button>
);

function SearchBox({ q, onSearch }: { q: string; onSearch: (q: string) => void }) {
  const [typed, setTyped] = useDraftOver(q, q);
  const submit = submitting(() => {
    if (typed.trim() !== q) onSearch(typed);
  });
  return (
    <Row as="form" gap={1} role="search" className={css["search"]} onSubmit={submit}>
      <TextField
        label={t`Search people and messages`}
        isLabelHidden
        type="search"
        dir="auto"
        maxLength={200}
        placeholder={t`Search people and messages`}
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          // The native clear button empties the field.
          if (event.target.value === "" && q !== "") onSearch("");
        }}
      />
      <Tool icon={<Search />} type="submit" aria-label={t`Search`}>
        {null}
      </Tool>
    </Row>
  );
}

function ColumnsPanel({ fields, isWideScreen }: { fields: readonly Field[]; isWideScreen: boolean }) {
  const [options, change] = useListOptions();
  const shown = shownColumns(options, isWideScreen);
  const known = { ...OWN_COLUMNS, ...WIDE_COLUMNS };
  const all = [...Object.entries(known).map(([id, name]) => ({ id, name })), ...extraColumns(fields)];
  return (
    <Row as="fieldset" wraps gap={[2, 4]}>
      <Note as="legend" after={2}>{t`Columns`}</Note>
      {all.map(({ id, name }) => (
        <Row as="label" gap={2} key={id}>
          <input
            type="checkbox"
            className={css["tick"]}
            checked={shown.includes(id)}
            disabled={shown.length === 1 && shown.includes(id)}
            onChange={(event) => change(withColumn(options, id, event.target.checked, isWideScreen))}
          />
          <bdi>{translate(name)}</bdi>
        </Row>
      ))}
    </Row>
  );
}
