import { t } from "@lingui/core/macro";
import { scaleBand, scaleLinear } from "@visx/scale";
import { Bar } from "@visx/shape";
import { leadsText, numberText, percentText, shortened } from "../../language/format.ts";
import type { StageFigure } from "../../machines/stats/stats.figures.ts";
import { useWidth } from "../../ui/hooks.ts";
import { BottomAxis, countTicks } from "./Axis.tsx";
import { ChartFrame, ChartTip } from "./ChartFrame.tsx";
import css from "./charts.module.css";

const ROW = 34;
const FOOT = 26;

export function StageBars({ stages }: { stages: StageFigure[] }) {
  return (
    <ChartFrame
      title={t`Leads per Stage`}
      points={stages.map(({ name, count }) => `${name}: ${leadsText(count)}`)}
      columns={[t`Stage`, t`Leads`]}
      rows={stages.map(({ id, name, count }) => ({ key: id, cells: [name, numberText(count)] }))}
      isEmpty={stages.length === 0}
    >
      {(active, onActivate) => <BarPlot stages={stages} active={active} onActivate={onActivate} />}
    </ChartFrame>
  );
}

type PlotProps = { stages: StageFigure[]; active: number | null; onActivate: (index: number | null) => void };

function BarPlot({ stages, active, onActivate }: PlotProps) {
  const [width, ref] = useWidth(480);
  const names = Math.min(150, Math.max(80, width * 0.3));
  const height = stages.length * ROW + FOOT;
  const x = scaleLinear({
    domain: [0, Math.max(4, ...stages.map(({ count }) => count))],
    range: [names, width - 44],
    nice: true,
  });
  const y = scaleBand({ domain: stages.map(({ id }) => id), range: [0, stages.length * ROW], padding: 0.28 });
  const current = active === null ? undefined : stages[active];
  return (
    <div ref={ref} className={css["surface"]}>
      <svg
        width={width}
        height={height}
        aria-hidden="true"
        className={`mirrored ${css["svg"]}`}
        onPointerLeave={() => onActivate(null)}
      >
        <BottomAxis
          ticks={countTicks(x, 4)}
          left={names}
          right={width - 44}
          y={height - FOOT}
          gridHeight={height - FOOT}
        />
        {stages.map(({ id, name, count, color }, index) => {
          const top = y(id) ?? 0;
          const length = Math.max(x(count) - names, count > 0 ? 2 : 0);
          return (
            <g
              key={id}
              onPointerEnter={() => onActivate(index)}
              data-faded={active !== null && active !== index ? "" : undefined}
              className={css["slice"]}
            >
              <rect x={0} y={index * ROW} width={width} height={ROW} fill="transparent" />
              <text x={names - 10} y={top + y.bandwidth() / 2 + 4} textAnchor="end" className={css["barName"]}>
                {shortened(name, Math.floor((names - 12) / 7))}
              </text>
              <Bar x={names} y={top} width={length} height={y.bandwidth()} rx={4} fill={color} />
              <text x={names + length + 8} y={top + y.bandwidth() / 2 + 4} className={css["barValue"]}>
                {numberText(count)}
              </text>
            </g>
          );
        })}
      </svg>
      {current && (
        <ChartTip x={Math.min(x(current.count), width / 2)} y={(active ?? 0) * ROW - 6} width={width}>
          <strong>{leadsText(current.count)}</strong>
          <span dir="auto">
            {current.name}, {percentText(current.share)}
          </span>
        </ChartTip>
      )}
    </div>
  );
}
