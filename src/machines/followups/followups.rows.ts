import { msg, plural } from "@lingui/core/runtime-macro";
import type { UiText, UiTextOrString } from "../../../domain/ui-text.ts";
import type { Followup } from "../../../domain/followup.ts";
import { DELAY_DEFAULT_HOURS, DELAY_MAX_HOURS, DELAY_MIN_HOURS } from "../../../domain/limits.ts";
import { failureOf } from "../../../domain/problem.ts";
import type { Stage } from "../../../domain/stage.ts";
import { isWholeNumber } from "../../language/format.ts";
import type { FollowupChange, NewFollowup, OrderChange } from "../../services/followups.ts";
import { type Length, fileProblem, lengthOf } from "../composer/composer.attaching.ts";
import { type Version, isContested, refusedFields, withEdits } from "../kit/writing.ts";

export type FollowupRow = {
  id: string;
  /** Null for the 'Unassigned' group. */
  stageId: string | null;
  /** Zero-based within its group. */
  order: number;
  message: string;
  delay: string;
  saved: { message: string; delay: string };
  /** The same fields were changed elsewhere; the user has not chosen a version yet. */
  isConflict?: boolean | undefined;
  media: { type: string | null; url: string | null; base64: string | null };
};
export type FollowupEdit = Partial<Pick<FollowupRow, "message" | "delay">>;

export function rowOf(followup: Followup): FollowupRow {
  const message = followup.message ?? "";
  const delay = String(followup.delay_hours);
  return {
    id: followup.id,
    stageId: followup.stage_id,
    order: followup.followup_order ?? 0,
    message,
    delay,
    saved: { message, delay },
    media: { type: followup.media_type, url: followup.media_url, base64: followup.media_base64 },
  };
}

/** Rows of one group, in order. */
const rowsOfGroup = (rows: readonly FollowupRow[], stageId: string | null): FollowupRow[] =>
  rows.filter((row) => row.stageId === stageId).toSorted((a, b) => a.order - b.order);

/** The follow-ups as rows without edits. */
export const rowsOf = (followups: readonly Followup[], stages: readonly Stage[]): FollowupRow[] =>
  withKnownStages(followups.map(rowOf), new Set(stages.map(({ id }) => id)));

/** Rows of deleted stages become unassigned. */
const withKnownStages = (rows: readonly FollowupRow[], stageIds: ReadonlySet<string>): FollowupRow[] =>
  rows.map((row) => (row.stageId !== null && stageIds.has(row.stageId) ? row : { ...row, stageId: null }));

export const isEdited = (row: TypedFollowup): boolean =>
  row.message !== row.saved.message || row.delay !== row.saved.delay;

/** The edits of a follow-up, and its saved version. */
export type TypedFollowup = Pick<FollowupRow, "id" | "message" | "delay" | "saved" | "isConflict">;

/** Merges edits into the rows, field by field. A field that was changed elsewhere too is a conflict. */
export const withTyped = (rows: readonly FollowupRow[], typed: readonly TypedFollowup[]): FollowupRow[] =>
  rows.map((row) => {
    const edit = typed.find(({ id }) => id === row.id);
    if (!edit || !isEdited(edit)) return row;
    const { message, delay } = row;
    const change = { typed: { message: edit.message, delay: edit.delay }, was: edit.saved, now: { message, delay } };
    const merged = { ...row, ...withEdits(change) };
    const isConflict = edit.isConflict === true || isContested(change);
    return isConflict && isEdited(merged) ? { ...merged, isConflict } : merged;
  });

/** Resolves one conflict: the typed version stays, or the saved one replaces it. */
export const withChoice = (rows: readonly FollowupRow[], id: string, version: Version): FollowupRow[] =>
  rows.map((row) => (row.id === id ? { ...row, ...(version === "saved" && row.saved), isConflict: undefined } : row));

/** Moves the text of an edited follow-up that was deleted elsewhere to the form; null if there is none, or the form is in use. */
export function rescued(
  form: FollowupForm,
  { before, after }: { before: readonly FollowupRow[]; after: readonly FollowupRow[] },
): FollowupForm | null {
  if (form.message !== "") return null;
  const lost = before.find((row) => isEdited(row) && !after.some(({ id }) => id === row.id));
  return lost === undefined
    ? null
    : { ...BLANK_FORM, stageId: lost.stageId ?? "", delay: lost.delay, message: lost.message };
}

/** Applies a saved change to the row; later edits stay unsaved. */
export function asSaved<Row extends TypedFollowup>(row: Row, change: FollowupChange): Row {
  const delay = String(change.delay_hours);
  const isSameDelay = Number(row.delay) === change.delay_hours;
  return { ...row, delay: isSameDelay ? delay : row.delay, saved: { message: change.message, delay } };
}

/** Returns the problem of a typed delay; null for a whole number of hours in range. */
export function delayProblem(delay: string): UiText | null {
  return isWholeNumber(delay, DELAY_MIN_HOURS, DELAY_MAX_HOURS)
    ? null
    : msg`Whole hours from ${{ from: DELAY_MIN_HOURS }} to ${{ to: DELAY_MAX_HOURS }}.`;
}

const HOURS_A_DAY = 24;

/** Returns a typed delay in days; null if it is under a day or invalid. */
export function delayInDays(delay: string): UiText | null {
  const hours = Number(delay);
  if (delayProblem(delay) !== null || hours < HOURS_A_DAY) return null;
  const days = Math.floor(hours / HOURS_A_DAY);
  const rest = hours % HOURS_A_DAY;
  return rest === 0
    ? msg`${{ hours }} = ${plural({ days }, { one: "# day", other: "# days" })}`
    : msg`${{ hours }} = ${plural({ days }, { one: "# day", other: "# days" })} ${plural({ rest }, { one: "# hour", other: "# hours" })}`;
}

export const changesOfGroup = (rows: readonly FollowupRow[], stageId: string | null): FollowupChange[] =>
  rowsOfGroup(rows, stageId)
    .filter(isEdited)
    .map((row) => ({ id: row.id, message: row.message, delay_hours: Number(row.delay) }));

/** A follow-up's text length relative to Telegram's limit. */
export const lengthOfRow = ({ message, media: { type, url, base64 } }: FollowupRow): Length =>
  lengthOf(message, (type ?? url ?? base64) !== null);

export function canSaveGroup(rows: readonly FollowupRow[], stageId: string | null): boolean {
  const edited = rowsOfGroup(rows, stageId).filter(isEdited);
  const isFit = (row: FollowupRow) => delayProblem(row.delay) === null && lengthOfRow(row).problem === undefined;
  return edited.length > 0 && edited.every((row) => isFit(row) && !row.isConflict);
}

/** Returns the new zero-based orders of a group after one row leaves it; only those that change. */
export function renumberWithout(rows: readonly FollowupRow[], id: string): OrderChange[] {
  const leaving = rows.find((row) => row.id === id);
  if (!leaving) return [];
  return rowsOfGroup(rows, leaving.stageId)
    .filter((row) => row.id !== id)
    .map((row, index) => ({ row, followup_order: index }))
    .filter(({ row, followup_order }) => row.order !== followup_order)
    .map(({ row, followup_order }) => ({ id: row.id, followup_order }));
}

/** Removes a row and renumbers its group from 0. */
export function withoutRow(rows: readonly FollowupRow[], id: string | null): FollowupRow[] {
  const orders = new Map(renumberWithout(rows, id ?? "").map((change) => [change.id, change.followup_order]));
  return rows.filter((row) => row.id !== id).map((row) => ({ ...row, order: orders.get(row.id) ?? row.order }));
}

/** Restores a row at its place; the following rows move down by one. */
export function withRestored(
  rows: readonly FollowupRow[],
  restored: FollowupRow,
  stageIds: ReadonlySet<string>,
): FollowupRow[] {
  const [back = restored] = withKnownStages([restored], stageIds);
  const others = rows.filter((row) => row.id !== back.id);
  const isAfter = (row: FollowupRow) => row.stageId === back.stageId && row.order >= back.order;
  return [...others.map((row) => (isAfter(row) ? { ...row, order: row.order + 1 } : row)), back];
}

export type FollowupForm = {
  stageId: string;
  order: string;
  delay: string;
  message: string;
  media: File | null;
  /** The name of a chosen file that a reload lost; empty when there is none. */
  lostMedia: string;
};

export const BLANK_FORM: FollowupForm = {
  stageId: "",
  order: "",
  delay: String(DELAY_DEFAULT_HOURS),
  message: "",
  media: null,
  lostMedia: "",
};

export type FormMarks = Partial<Record<"stageId" | "order" | "delay" | "message" | "media", UiTextOrString>>;

/** Returns the missing fields of a new follow-up. An unknown stage counts as missing. */
export const missingIn = (form: FollowupForm, stages: readonly Stage[]): FormMarks => ({
  ...(!stages.some(({ id }) => id === form.stageId) && { stageId: msg`Choose a stage.` }),
  ...(form.message.trim() === "" && { message: msg`Write the message.` }),
  ...((form.delay.trim() === "" || Number.isNaN(Number(form.delay))) && {
    delay: msg`Write the delay: whole hours from ${{ from: DELAY_MIN_HOURS }} to ${{ to: DELAY_MAX_HOURS }}.`,
  }),
});

/** Returns the invalid fields; the order is always adjusted. */
export const wrongIn = ({ delay, message, media }: FollowupForm): FormMarks => {
  const [hours, text, file] = [
    delay.trim() === "" ? null : delayProblem(delay),
    lengthOf(message, media !== null).problem,
    fileProblem(media),
  ];
  return {
    ...(hours !== null && { delay: hours }),
    ...(text !== undefined && { message: text }),
    ...(file !== undefined && { media: file }),
  };
};

const FIELDS: Readonly<Record<string, keyof FormMarks>> = {
  stage_id: "stageId",
  followup_order: "order",
  delay_hours: "delay",
  message: "message",
};

/** Returns a refusal's problems by field; the first one gets the whole message. */
export function refusedMarks(error: unknown, message: UiTextOrString): FormMarks {
  const { status, code } = failureOf(error);
  if (status === 413 || status === 415) return { media: message };
  if (code === "duplicate_order") return { order: message };
  const [named] = Object.keys(refusedFields(error)).flatMap((name) => FIELDS[name] ?? []);
  return named === undefined ? {} : { [named]: message };
}

export const withoutMarks = (marks: FormMarks, change: object): FormMarks =>
  Object.fromEntries(Object.entries(marks).filter(([field]) => !(field in change)));

/** The zero-based order after the last in a stage. */
export const nextOrder = (rows: readonly FollowupRow[], stageId: string): number =>
  Math.max(-1, ...rowsOfGroup(rows, stageId).map((row) => row.order)) + 1;

/** The zero-based order of a new follow-up: typed from 1, or last if missing, below 1 or above count+1. */
function orderOf(form: FollowupForm, rows: readonly FollowupRow[]): number {
  const count = rowsOfGroup(rows, form.stageId).length;
  return isWholeNumber(form.order, 1, count + 1) ? Number(form.order) - 1 : nextOrder(rows, form.stageId);
}

/** What happens to an order that is out of range; undefined if it is used as typed. */
export function orderNote(form: FollowupForm, rows: readonly FollowupRow[]): UiText | undefined {
  const place = orderOf(form, rows) + 1;
  return form.stageId === "" || form.order.trim() === "" || Number(form.order) === place
    ? undefined
    : msg`There is no such place: it becomes number ${{ place }}, the last.`;
}

export const isOrderTaken = (form: FollowupForm, rows: readonly FollowupRow[]): boolean =>
  rowsOfGroup(rows, form.stageId).some((row) => row.order === orderOf(form, rows));

/** Returns the add form's request; the order becomes zero-based. */
export const newFollowupOf = (form: FollowupForm, rows: readonly FollowupRow[]): NewFollowup => ({
  stage_id: form.stageId,
  message: form.message,
  followup_order: orderOf(form, rows),
  delay_hours: Number(form.delay),
  media: form.media,
});

export type FollowupGroup = { stageId: string | null; name: string; color: string | null; rows: FollowupRow[] };

/** Groups follow-ups by stage in the stages' order, then 'Unassigned'; omits empty groups. */
export function groupsOf(rows: readonly FollowupRow[], stages: readonly Stage[]): FollowupGroup[] {
  const byStage = stages.map((stage) => ({
    stageId: stage.id,
    name: stage.name ?? "",
    color: stage.color,
    rows: rowsOfGroup(rows, stage.id),
  }));
  const unassigned = { stageId: null, name: "Unassigned", color: null, rows: rowsOfGroup(rows, null) };
  return [...byStage, unassigned].filter((group) => group.rows.length > 0);
}

/** Names of the stages without follow-ups. */
export const stagesWithoutFollowups = (rows: readonly FollowupRow[], stages: readonly Stage[]): string[] =>
  stages.filter((stage) => rowsOfGroup(rows, stage.id).length === 0).map((stage) => stage.name ?? "");
