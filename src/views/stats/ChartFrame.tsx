import { t } from "@lingui/core/macro";
import { type ReactNode, useState } from "react";
import { Card, Stack } from "../../ui/layout.tsx";
import { Figures } from "../../ui/Table.tsx";
import css from "./charts.module.css";

export type ChartRow = { key: string; cells: readonly [string, ...string[]] };

export type ChartFrameProps = {
  title: string;
  /** The texts of the points under the pointer or the arrow keys, in order. */
  points: readonly string[];
  /** The table's column names; the first names the points. */
  columns: readonly [string, ...string[]];
  rows: readonly ChartRow[];
  isEmpty: boolean;
  /** Draws the chart with the active point, or null. */
  children: (active: number | null, onActivate: (index: number | null) => void) => ReactNode;
  footer?: ReactNode;
};

/**
 * A chart with a title, a keyboard cursor and the same figures as a table. The cursor is a native slider over the chart: arrow keys move it
 * and screen readers announce its value.
 */
export function ChartFrame({ title, points, columns, rows, isEmpty, children, footer }: ChartFrameProps) {
  const [active, setActive] = useState<number | null>(null);
  const current = active === null ? null : Math.min(active, points.length - 1);
  return (
    <Stack as={Card} gap={4} className={css["frame"]} aria-label={title}>
      <h2>{title}</h2>
      {isEmpty ? (
        <p className={css["empty"]}>{t`No data for this period.`}</p>
      ) : (
        <>
          <div className={css["chart"]}>
            <input
              type="range"
              className={css["cursor"]}
              aria-label={`${title}: ${columns[0]}`}
              aria-valuetext={points[current ?? 0]}
              min={0}
              max={points.length - 1}
              value={current ?? 0}
              onChange={(event) => setActive(Number(event.target.value))}
              onFocus={() => setActive(current ?? 0)}
              onBlur={() => setActive(null)}
            />
            <div className={css["plot"]}>{children(current, setActive)}</div>
          </div>
          {footer}
          <FigureTable columns={columns} rows={rows} title={title} />
        </>
      )}
    </Stack>
  );
}

function FigureTable({ title, columns, rows }: Pick<ChartFrameProps, "title" | "columns" | "rows">) {
  return (
    <details className={css["details"]}>
      <summary>{t`Show as table`}</summary>
      <div className={css["scroll"]}>
        <Figures className={css["table"]} aria-label={t`${title} as a table`}>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ key, cells: [head, ...cells] }) => (
              <tr key={key}>
                <th scope="row">
                  <bdi>{head}</bdi>
                </th>
                {cells.map((cell, index) => (
                  <td key={columns[index + 1]}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </Figures>
      </div>
    </details>
  );
}

/** A tooltip for the figure under the cursor; `x` is relative to the chart. */
export function ChartTip({ x, y, width, children }: { x: number; y: number; width: number; children: ReactNode }) {
  const isLate = x > width / 2;
  return (
    <Stack
      surface="raised"
      pad={[1, 3]}
      size="sm"
      className={css["tip"]}
      style={{ insetBlockStart: y, ...(isLate ? { insetInlineEnd: width - x + 12 } : { insetInlineStart: x + 12 }) }}
    >
      {children}
    </Stack>
  );
}
