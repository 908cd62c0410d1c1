import { msg } from "@lingui/core/runtime-macro";
import type { Field } from "../../../domain/field.ts";
import type { UiText, UiTextOrString } from "../../../domain/ui-text.ts";
import type { View } from "../../../domain/view.ts";
import { placeOf, searchOf } from "./leads.address.ts";
import { writeDate } from "./leads.dates.ts";
import { VALUE_FILTERS, type ValueFilter, type LeadFilters, queryOf } from "./leads.filters.ts";

/** The parsed filters outside of the table's head. */
export type ListOptions = {
  q: string;
  tags: readonly string[];
  /** By field id; a number or a date as `from..to`. */
  fields: Readonly<Record<string, string>>;
  /** As in the API; empty for all leads. */
  values: Readonly<Record<ValueFilter, string>>;
  /** Empty for newest first. */
  sort: string;
  /** The names of the columns shown; empty for the default. */
  columns: readonly string[];
};

const FIELD = "field.";
const valuesOf = (textOf: (name: ValueFilter) => string) =>
  Object.fromEntries(VALUE_FILTERS.map((name) => [name, textOf(name)])) as Record<ValueFilter, string>;
export const NO_VALUES = valuesOf(() => "");

/** Parses `LeadFilters.more`. */
export function readListOptions(text: string): ListOptions {
  const query = new URLSearchParams(text);
  const one = (name: string) => query.get(name) ?? "";
  const fields = [...query].filter(([name]) => name.startsWith(FIELD));
  return {
    q: one("q"),
    tags: query.getAll("tag"),
    fields: Object.fromEntries(fields.map(([name, value]) => [name.slice(FIELD.length), value])),
    values: valuesOf(one),
    sort: one("sort"),
    columns: one("columns").split(",").filter(Boolean),
  };
}

/** Formats it again, without empty values. */
export function writeListOptions({ q, tags, fields, values, sort, columns }: ListOptions): string {
  const query = new URLSearchParams();
  const add = (name: string, text: string) => {
    if (text.trim() !== "") query.append(name, text.trim());
  };
  add("q", q);
  tags.forEach((tag) => add("tag", tag));
  for (const [id, value] of Object.entries(fields)) if (value !== "..") add(FIELD + id, value);
  VALUE_FILTERS.forEach((name) => add(name, values[name]));
  add("sort", sort);
  add("columns", columns.join(","));
  return query.toString();
}

/** How many of the filters are active. */
export const filterCount = ({ tags, fields, values }: Pick<ListOptions, "tags" | "fields" | "values">): number =>
  tags.length + Object.keys(fields).length + Object.values(values).filter(Boolean).length;

export const OWN_COLUMNS = {
  date: msg`Date`,
  name: msg({ message: "Name", context: "of a person" }),
  username: msg`Username`,
  stage: msg`Stage`,
  followups: msg`Follow-ups`,
  awaiting_reply: msg`Awaiting Reply`,
  notes: msg`Notes`,
  actions: msg`Actions`,
};
const OWN = Object.keys(OWN_COLUMNS);

/** Columns that are added if the screen is wide enough. */
export const WIDE_COLUMNS = { last_message_at: msg`Last message`, waiting_since: msg`Waiting for you` };
export type WideColumn = keyof typeof WIDE_COLUMNS;
const WIDE = Object.keys(WIDE_COLUMNS) as WideColumn[];

/** Columns in addition to the default ones. */
export type ExtraColumn = { id: string; name: UiTextOrString; field: Field | null };

/** The matched text of a search; shown during a search. */
export const FOUND: ExtraColumn = { id: "match", name: msg`Found`, field: null };

/** When each lead entered its stage; shown when the list is ordered by it. */
export const ENTERED: ExtraColumn = { id: "stage_entered_at", name: msg`Stage entered`, field: null };
export const isByEntry = ({ sort }: Pick<ListOptions, "sort">): boolean => sort.endsWith(ENTERED.id);

export const extraColumns = (fields: readonly Field[]): ExtraColumn[] => [
  { id: "tags", name: msg`Tags`, field: null },
  ...fields.map((field) => ({ id: FIELD + field.id, name: field.name, field })),
];

/** The visible columns: the chosen ones, or else the default ones and additional ones that fit. */
export function shownColumns({ columns }: Pick<ListOptions, "columns">, isWideScreen: boolean): readonly string[] {
  if (columns.length > 0) return columns;
  return isWideScreen ? [...OWN, ...WIDE] : OWN;
}

export const wideColumns = (options: Pick<ListOptions, "columns">, isWideScreen: boolean): WideColumn[] =>
  WIDE.filter((column) => shownColumns(options, isWideScreen).includes(column));

/** The hidden default columns, as one attribute. */
export const hiddenColumns = (options: Pick<ListOptions, "columns">): string => {
  const shown = shownColumns(options, false);
  return OWN.filter((name) => !shown.includes(name)).join(" ");
};

/** Shows or hides a column; the default is stored as empty. */
export function withColumn(options: ListOptions, id: string, isShown: boolean, isWideScreen: boolean): ListOptions {
  const before = shownColumns(options, isWideScreen);
  const columns = isShown ? [...before, id] : before.filter((column) => column !== id);
  const plain = shownColumns({ columns: [] }, isWideScreen);
  const isPlain = columns.length === plain.length && plain.every((column) => columns.includes(column));
  return { ...options, columns: isPlain ? [] : columns };
}

/** Returns the current list as a saved view. */
export const viewOf = (filters: LeadFilters): Pick<View, "query" | "columns"> => ({
  query: queryOf(filters),
  columns: [...readListOptions(filters.more).columns],
});

const dayOf = (timestamp: string | null): string => {
  const day = timestamp === null ? null : new Date(timestamp);
  return day === null || Number.isNaN(day.getTime())
    ? ""
    : writeDate({ year: day.getFullYear(), month: day.getMonth() + 1, day: day.getDate() });
};

/** Returns the address of a view, the same in every browser. */
export function addressOf({ kind, query, columns }: Pick<View, "kind" | "query" | "columns">): string {
  const { filters } = placeOf(query);
  const moments = new URLSearchParams(query);
  const more = writeListOptions({ ...readListOptions(filters.more), columns });
  const days = { from: dayOf(moments.get("created_start")), to: dayOf(moments.get("created_end")) };
  const search = searchOf({ filters: { ...filters, ...days, more }, page: 1 });
  const path = kind === "board" ? "/board" : "/leads";
  return search === "" ? path : `${path}?${search}`;
}

/** The orders of the list, with their labels. */
export const sortsOf = (fields: readonly Field[]): { sort: string; label: UiText }[] => [
  { sort: "", label: msg`Newest leads first` },
  { sort: "created_at", label: msg`Oldest leads first` },
  { sort: "-last_message_at", label: msg`Last message, newest first` },
  { sort: "last_message_at", label: msg`Last message, oldest first` },
  { sort: "name", label: msg`Name, A to Z` },
  { sort: "-name", label: msg`Name, Z to A` },
  { sort: "stage_entered_at", label: msg`Longest in their stage` },
  { sort: "-stage_entered_at", label: msg`Newest in their stage` },
  ...fields.flatMap(({ id, name, type }) => {
    const isNumber = type === "number";
    return [
      {
        sort: `-field.${id}`,
        label: isNumber ? msg`${{ field: name }}, most first` : msg`${{ field: name }}, last first`,
      },
      {
        sort: `field.${id}`,
        label: isNumber ? msg`${{ field: name }}, least first` : msg`${{ field: name }}, first first`,
      },
    ];
  }),
];
