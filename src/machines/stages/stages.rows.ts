import { msg } from "@lingui/core/runtime-macro";
import { STAGE_DEFAULT_COLOR } from "../../../domain/limits.ts";
import { failureOf } from "../../../domain/problem.ts";
import {
  type Stage,
  type StageDraft,
  type StageFields,
  isMalformedKeyword,
  sortStages,
  splitKeywords,
} from "../../../domain/stage.ts";
import type { UiText, UiTextOrString } from "../../../domain/ui-text.ts";
import { type Version, isContested, isSameForm, refusedFields, withEdits } from "../kit/writing.ts";

/** A stage as typed; `key` identifies the row until it has an id. */
export type StageRow = {
  key: string;
  id: string | null;
  name: string;
  /** Comma-separated. */
  keywords: string;
  color: string;
  order: number | null;
  /** The server's latest version; null for a new row. */
  saved: Stage | null;
  /**
   * A conflicting change elsewhere: to the same fields, a deletion or, on one of the moved rows, to the order. Set until the user chooses.
   */
  conflict?: "changed" | "deleted" | "moved" | undefined;
};
export type StageEdit = Partial<Pick<StageRow, "name" | "keywords" | "color">>;

/** A row's request: a new stage if `id` is null. */
export type StageToSave = StageFields & { id: string | null };

const rowOf = (stage: Stage): StageRow => ({
  key: stage.id,
  id: stage.id,
  name: stage.name ?? "",
  keywords: stage.keywords.join(", "),
  color: stage.color,
  order: stage.order,
  saved: stage,
});

export const rowsOf = (stages: readonly Stage[]): StageRow[] => sortStages(stages).map(rowOf);

export const newKey = (rows: readonly StageRow[]): string =>
  `new-${1 + Math.max(0, ...rows.map(({ key }) => Number(/^new-(\d+)$/.exec(key)?.[1] ?? 0)))}`;

/** A blank row after the last: order max+1, or 1 if there are none. */
export function blankRow(rows: readonly StageRow[], key: string): StageRow {
  const order = Math.max(0, ...rows.map((row) => row.order ?? 0)) + 1;
  return { key, id: null, name: "", keywords: "", color: STAGE_DEFAULT_COLOR, order, saved: null };
}

/** Whether a row can move in this direction. */
export const hasNeighbour = (rows: readonly StageRow[], key: string, step: -1 | 1): boolean => {
  const index = rows.findIndex((row) => row.key === key);
  return index >= 0 && rows[index + step] !== undefined;
};

/** Swaps a row's order with its neighbour's. */
export function swapWithNeighbour(rows: readonly StageRow[], key: string, step: -1 | 1): StageRow[] {
  const index = rows.findIndex((row) => row.key === key);
  const row = rows[index];
  const neighbour = rows[index + step];
  if (!row || !neighbour) return [...rows];
  const swapped = [...rows];
  swapped[index] = { ...neighbour, order: row.order };
  swapped[index + step] = { ...row, order: neighbour.order };
  return swapped;
}

export const isEdited = (row: StageRow): boolean =>
  row.saved === null ||
  row.name !== (row.saved.name ?? "") ||
  row.keywords !== row.saved.keywords.join(", ") ||
  row.color !== row.saved.color ||
  row.order !== row.saved.order;

const fieldsOf = ({ name, keywords, color }: StageRow) => ({ name, keywords, color });

/** Applies unsaved edits to a stage's row, field by field. */
function editedAs(row: StageRow, typed: StageRow | undefined): StageRow {
  if (!typed?.saved) return row;
  const edit = { typed: fieldsOf(typed), was: fieldsOf(rowOf(typed.saved)), now: fieldsOf(row) };
  const edited = { ...row, key: typed.key, ...withEdits(edit) };
  const isConflict = typed.conflict === "changed" || isContested(edit);
  return isConflict && !isSameForm(fieldsOf(edited), edit.now) ? { ...edited, conflict: "changed" } : edited;
}

/** Appends the new rows, numbered after the last. */
const withNewRows = (known: readonly StageRow[], rows: readonly StageRow[]): StageRow[] =>
  rows
    .filter(({ id }) => id === null)
    .reduce<StageRow[]>((all, row) => [...all, { ...row, order: blankRow(all, row.key).order }], [...known]);

/** Whether the saved order of these rows changed since it was read, or was in conflict before, and differs from the typed one. */
function isOrderContested(stages: readonly Stage[], typed: readonly StageRow[]): boolean {
  const saved = new Map(stages.map(({ id, order }) => [id, order]));
  const savedOrder = ({ id }: StageRow) => saved.get(id ?? "") ?? Number.POSITIVE_INFINITY;
  const isAsSaved = (rows: readonly StageRow[]) =>
    rows.every((row, index) => index === 0 || savedOrder(rows[index - 1] ?? row) <= savedOrder(row));
  const known = typed.filter((row) => row.saved !== null && saved.has(row.saved.id));
  const asRead = sortStages(
    known.toSorted((a, b) => savedOrder(a) - savedOrder(b)).map((row) => ({ row, order: row.saved?.order ?? null })),
  );
  const isMovedElsewhere = !isAsSaved(asRead.map(({ row }) => row));
  return (isMovedElsewhere || typed.some(({ conflict }) => conflict === "moved")) && !isAsSaved(known);
}

/** Applies unsaved edits, new rows and changed orders to the stages from the server. */
function withTypedRows(stages: readonly Stage[], typed: readonly StageRow[]): StageRow[] {
  const known = rowsOf(stages).map((row) =>
    editedAs(
      row,
      typed.find(({ id }) => id === row.id),
    ),
  );
  const rows = withNewRows(known, typed);
  if (!typed.some(({ saved, order }) => saved !== null && saved.order !== order)) return rows;
  const places = new Map(typed.map(({ key }, index) => [key, index]));
  const placeOf = ({ key }: StageRow) => places.get(key) ?? typed.length;
  const placed = rows.toSorted((a, b) => placeOf(a) - placeOf(b)).map((row, index) => ({ ...row, order: index + 1 }));
  if (!isOrderContested(stages, typed)) return placed;
  const moved = placed.find(({ saved, order, conflict }) => !conflict && saved !== null && saved.order !== order);
  return placed.map((row) => (row === moved ? { ...row, conflict: "moved" } : row));
}

/**
 * The same for stages that may have changed elsewhere. Edits of a deleted stage stay as a new row until the user chooses. A new row that
 * was saved in the meantime is dropped.
 */
export function withTyped(stages: readonly Stage[], typed: readonly StageRow[]): StageRow[] {
  const wordsOf = ({ name, keywords }: StageRow) => JSON.stringify([name.trim(), splitKeywords(keywords)]);
  const [ids, words] = [new Set(stages.map(({ id }) => id)), new Set(rowsOf(stages).map(wordsOf))];
  const carried = typed.flatMap((row) => {
    if (row.id === null) return words.has(wordsOf(row)) ? [] : [row];
    if (ids.has(row.id)) return [row];
    const isTyped = row.saved === null || isEdited({ ...row, order: row.saved.order });
    return isTyped ? [{ ...row, id: null, saved: null, conflict: "deleted" as const }] : [];
  });
  return withTypedRows(stages, carried);
}

/** Returns the saved values that differ in a conflicting row; null for a row without a conflict or a saved version. */
export function savedValues({ conflict, saved, ...row }: StageRow): UiText[] | null {
  if (conflict === undefined || saved === null) return null;
  const { name, keywords, color } = rowOf(saved);
  const values: UiText[] = [];
  if (name !== row.name) values.push(msg`name “${{ value: name }}”`);
  if (keywords !== row.keywords) values.push(msg`keywords “${{ value: keywords }}”`);
  if (color !== row.color) values.push(msg`color “${{ value: color }}”`);
  return values;
}

export const savedOrder = (rows: readonly StageRow[]): string[] =>
  sortStages(rows.flatMap(({ saved }) => saved ?? [])).map(({ name }) => name ?? "");

const inSavedOrder = (rows: readonly StageRow[]): StageRow[] =>
  withNewRows(
    sortStages(
      rows.flatMap((row) => {
        if (row.saved === null) return [];
        const conflict = row.conflict === "moved" ? undefined : row.conflict;
        return [{ ...row, order: row.saved.order, conflict }];
      }),
    ),
    rows,
  );

/** Resolves one conflict: the typed version stays, or the saved one replaces it. */
export const withChoice = (rows: readonly StageRow[], key: string, version: Version): StageRow[] =>
  version === "saved" && rows.some((row) => row.key === key && row.conflict === "moved")
    ? inSavedOrder(rows)
    : rows.flatMap((row) => {
        if (row.key !== key) return [row];
        if (version === "mine") return [{ ...row, conflict: undefined }];
        return row.saved === null ? [] : [{ ...rowOf(row.saved), key, order: row.order }];
      });

/** Returns the row as the server stores it: differences by trimming and splitting are not edits. */
export function rowAsSaved(row: StageRow, id: string | null): StageRow {
  if (id === null) return { ...row, id, saved: null };
  return { ...rowOf({ ...toSave(row), id }), key: row.key };
}

/** Rows in saving order, without those that lack a name or an order. */
export function rowsToSave(rows: readonly StageRow[]): StageRow[] {
  return sortStages(rows.filter((row) => row.name.trim() !== "" && row.order !== null));
}

export const toSave = (row: StageRow): StageToSave => ({
  id: row.id,
  name: row.name.trim(),
  keywords: splitKeywords(row.keywords),
  order: row.order ?? 1,
  color: row.color,
});

/** Returns the stages and keywords to save, without rows that lack a name or an order. */
export const wordsOf = (rows: readonly StageRow[]): StageDraft[] =>
  rowsToSave(rows).map((row) => {
    const { id, name, keywords, order } = toSave(row);
    return { ...(id === null ? {} : { id }), name, keywords, order };
  });

/** Why the rows cannot be saved, and the row at fault; rules are in the order of checking. */
export type StageProblem = {
  message: UiTextOrString;
  key: string | null;
  field: "name" | "keywords";
  /** The server's message for the field. */
  fieldMessage?: UiTextOrString;
};

export function findProblem(rows: readonly StageRow[]): StageProblem | null {
  const nameless = rows.find((row) => row.name.trim() === "");
  if (nameless) return { message: msg`❌ Stage name is required.`, key: nameless.key, field: "name" };

  const wordless = rows.find((row) => splitKeywords(row.keywords).length === 0);
  if (wordless) {
    const message = msg`❌ Stage "${{ name: wordless.name.trim() }}" must have at least one keyword.`;
    return { message, key: wordless.key, field: "keywords" };
  }

  const malformed = rows.find((row) => splitKeywords(row.keywords).some(isMalformedKeyword));
  if (malformed) {
    const message = msg`⚠️ Some keywords in stage "${{ name: malformed.name.trim() }}" are malformed. Wrap phrases in quotes like: "high intent"`;
    return { message, key: malformed.key, field: "keywords" };
  }

  const repeated = findRepeatedKeywords(rows);
  if (repeated.length === 0) return null;
  return {
    message: msg`⚠️ Duplicate keywords found across stages: ${{ keywords: repeated }}`,
    key: null,
    field: "keywords",
  };
}

/** The row that the server refused, and the field at fault; rows before it were saved. Null if the server names no field. */
export function refusedRow(
  queued: readonly StageRow[],
  { failure, saved }: { failure: unknown; saved: readonly { key: string }[] },
): StageProblem | null {
  const row = queued.find(({ key }) => !saved.some((taken) => taken.key === key));
  const { message } = failureOf(failure);
  const named = refusedFields(failure);
  const field = (["name", "keywords"] as const).find((known) => known in named);
  if (row === undefined || field === undefined || message === null) return null;
  return { message, key: row.key, field, fieldMessage: message };
}

/** Whether another row has the same name, ignoring case. */
export function isNameShared(rows: readonly StageRow[], row: StageRow): boolean {
  const nameOf = ({ name }: StageRow) => name.trim().toLowerCase();
  const isTyped = row.saved === null || row.name !== row.saved.name;
  return isTyped && nameOf(row) !== "" && rows.some((other) => other.key !== row.key && nameOf(other) === nameOf(row));
}

/** Keywords in more than one stage, ignoring case, as first written. */
function findRepeatedKeywords(rows: readonly StageRow[]): string[] {
  const owners = new Map<string, { written: string; keys: Set<string> }>();
  for (const row of rows) {
    for (const keyword of splitKeywords(row.keywords)) {
      const folded = keyword.toLowerCase();
      const owner = owners.get(folded) ?? { written: keyword, keys: new Set() };
      owners.set(folded, { ...owner, keys: owner.keys.add(row.key) });
    }
  }
  return [...owners.values()].filter((owner) => owner.keys.size > 1).map((owner) => owner.written);
}
