import css from "./charts.module.css";

type Tick = { key: string; at: number; text: string };

/** Returns whole-number ticks for counts, about as many as requested. */
export function countTicks(scale: { (value: number): number; ticks(count: number): number[] }, about: number): Tick[] {
  return scale
    .ticks(about)
    .filter(Number.isInteger)
    .map((value) => ({ key: String(value), at: scale(value), text: String(value) }));
}

/** Labels at the left of a chart with horizontal grid lines. */
export const LeftAxis = ({ ticks, left, right }: { ticks: Tick[]; left: number; right: number }) => (
  <g>
    {ticks.map(({ key, at, text }) => (
      <g key={key}>
        <line x1={left} x2={right} y1={at} y2={at} className={css["grid"]} />
        <text x={left - 8} y={at + 4} textAnchor="end" className={css["tick"]}>
          {text}
        </text>
      </g>
    ))}
  </g>
);

type BottomAxisProps = { ticks: Tick[]; left: number; right: number; y: number; gridHeight?: number };

/** A chart's bottom axis with labels and, optionally, vertical grid lines. */
export const BottomAxis = ({ ticks, left, right, y, gridHeight = 0 }: BottomAxisProps) => (
  <g>
    {ticks.map(({ key, at, text }) => (
      <g key={key}>
        {gridHeight > 0 && <line x1={at} x2={at} y1={y} y2={y - gridHeight} className={css["grid"]} />}
        <text x={at} y={y + 18} textAnchor="middle" className={css["tick"]}>
          {text}
        </text>
      </g>
    ))}
    <line x1={left} x2={right} y1={y} y2={y} className={css["axis"]} />
  </g>
);
