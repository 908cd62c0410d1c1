import * as v from "valibot";
import { Board as BoardResponse, type BoardColumn } from "../../domain/board.ts";
import type { Lead, LeadsPage } from "../../domain/lead.ts";
import type { Stage } from "../../domain/stage.ts";
import type { Http } from "./http.ts";
import type { OwnWrites } from "./own-writes.ts";
import { createValueFieldGateway } from "./catalog.ts";

type Filters = Readonly<Record<string, unknown>>;
export type ValueField = { id: string; name: string };
/**
 * `total` counts all matches; `leads` are the first of them, newest first unless the board is sorted; `value` is the sum of the matches.
 */
export type Column = { stage: Stage; total: number; value: number | null; leads: readonly Lead[] };
export type Board = { columns: readonly Column[]; valueField: ValueField | null };
export type ColumnPage = { stageId: string; leads: readonly Lead[]; total: number };

export type BoardSources = {
  listStages: (signal?: AbortSignal) => Promise<Stage[]>;
  list: (request: Filters, signal: AbortSignal) => Promise<LeadsPage>;
  mergeWrites: OwnWrites["mergeWrites"];
};

/** Cards per column in the board's first response. */
const FIRST = 50;
/** A refresh reads at most this many cards of a column; cards further down stay as they were. */
const MOST_AGAIN = 1_000;

/** `/board` of the product API, with the names of its columns. */
export const createBoardGateway = (http: Http, { listStages, list, mergeWrites }: BoardSources) => {
  const valueField = createValueFieldGateway(http);
  const readColumns = async (filters: Filters, signal: AbortSignal): Promise<BoardColumn[]> =>
    v.parse(BoardResponse, await http("/board", { query: { ...filters, per_stage: FIRST }, signal })).columns;

  return {
    /** Reads the board under `filters`. Columns that were extended (`lengths`, by stage) keep their length. */
    async read(
      { filters, lengths }: { filters: Filters; lengths: Readonly<Record<string, number>> },
      signal: AbortSignal,
    ): Promise<Board> {
      const answer = Promise.all([listStages(signal), readColumns(filters, signal), valueField.read(signal)]);
      const long = Object.entries(lengths).filter(([, length]) => length > FIRST);
      const again = Promise.all(
        long.map(async ([id, length]) => {
          const request = { ...filters, stage_id: id, limit: Math.min(length, MOST_AGAIN), offset: 0 };
          return [id, await list(request, signal)] as const;
        }),
      );
      const whole = Promise.all([answer, again]).then(([[stages, columns, value], longer]) => {
        const pages = new Map(longer);
        return {
          columns: stages.map((stage) => {
            const column = columns.find(({ stage_id: id }) => id === stage.id);
            const { leads = [], total = 0 } = pages.get(stage.id) ?? column ?? {};
            return { stage, total, value: value && (column?.value ?? 0), leads };
          }),
          valueField: value,
        };
      });
      return mergeWrites<Board>(whole, (board, newestOf) => ({ ...board, columns: regrouped(board, newestOf) }));
    },

    /** Reads more cards of a column. */
    async extend(
      { filters, stageId, offset }: { filters: Filters; stageId: string; offset: number },
      signal: AbortSignal,
    ): Promise<ColumnPage> {
      const page = await list({ ...filters, stage_id: stageId, offset, limit: 2 * FIRST }, signal);
      return { stageId, leads: page.leads.filter(({ stage_id: id }) => id === stageId), total: page.total };
    },
  };
};

/** The lead's value in the value field; 0 if there is none. */
export const valueOf = (lead: Lead, field: ValueField | null): number => {
  const value = field === null ? null : lead.fields?.[field.id];
  return typeof value === "number" ? value : 0;
};

/** Moves leads to their newest column: a response older than a move on this page still has the lead in the column it left. */
function regrouped({ columns, valueField }: Board, newestOf: <Read extends Lead>(lead: Read) => Read): Column[] {
  const add = (column: Column, value: number) => {
    if (column.value !== null) column.value += value;
  };
  const next = columns.map((column) => ({ ...column, leads: [...column.leads] }));
  for (const column of columns)
    for (const lead of column.leads) {
      const newest = newestOf(lead);
      if (newest === lead) continue;
      const from = next.find(({ stage }) => stage.id === column.stage.id);
      const to = next.find(({ stage }) => stage.id === newest.stage_id);
      if (!from) continue;
      if (!to || to === from) {
        from.leads = from.leads.map((shown) => (shown.id === lead.id ? newest : shown));
        add(from, valueOf(newest, valueField) - valueOf(lead, valueField));
        continue;
      }
      from.leads = from.leads.filter(({ id }) => id !== lead.id);
      from.total -= 1;
      add(from, -valueOf(lead, valueField));
      to.leads = [newest, ...to.leads.filter(({ id }) => id !== lead.id)];
      to.total += 1;
      add(to, valueOf(newest, valueField));
    }
  return next;
}
