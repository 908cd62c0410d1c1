import { t } from "@lingui/core/macro";
import { scaleLinear, scalePoint } from "@visx/scale";
import { AreaClosed, LinePath } from "@visx/shape";
import type { PointerEvent } from "react";
import type { DailyVolume } from "../../../domain/stats.ts";
import { dayText, leadsText, shortDayText } from "../../language/format.ts";
import { useWidth } from "../../ui/hooks.ts";
import { BottomAxis, LeftAxis, countTicks } from "./Axis.tsx";
import { ChartFrame, ChartTip } from "./ChartFrame.tsx";
import css from "./charts.module.css";

const HEIGHT = 260;
const MARGIN = { top: 12, right: 26, bottom: 30, left: 40 };

/** New leads per day, as a line. */
export function VolumeChart({ volume }: { volume: DailyVolume[] }) {
  return (
    <ChartFrame
      title={t`Lead Volume`}
      points={volume.map(({ day, lead_count }) => `${dayText(day)}: ${leadsText(lead_count)}`)}
      columns={[t`Day`, t`New leads`]}
      rows={volume.map(({ day, lead_count }) => ({ key: day, cells: [dayText(day), String(lead_count)] }))}
      isEmpty={volume.length === 0}
    >
      {(active, onActivate) => <VolumePlot volume={volume} active={active} onActivate={onActivate} />}
    </ChartFrame>
  );
}

type PlotProps = { volume: DailyVolume[]; active: number | null; onActivate: (index: number | null) => void };

function VolumePlot({ volume, active, onActivate }: PlotProps) {
  const [width, ref] = useWidth(640);
  const days = volume.map(({ day }) => day);
  const top = Math.max(4, ...volume.map(({ lead_count }) => lead_count));
  const x = scalePoint({
    domain: days,
    range: [MARGIN.left, width - MARGIN.right],
    padding: days.length === 1 ? 0.5 : 0,
  });
  const y = scaleLinear({ domain: [0, top], range: [HEIGHT - MARGIN.bottom, MARGIN.top], nice: true });
  const xOf = ({ day }: DailyVolume) => x(day) ?? 0;
  const yOf = ({ lead_count }: DailyVolume) => y(lead_count);
  const point = active === null ? undefined : volume[active];

  const follow = (event: PointerEvent<SVGSVGElement>) => {
    const { left, right } = event.currentTarget.getBoundingClientRect();
    const offset = document.dir === "rtl" ? right - event.clientX : event.clientX - left;
    const index = Math.round((offset - MARGIN.left) / (x.step() || 1));
    onActivate(Math.max(0, Math.min(volume.length - 1, index)));
  };

  return (
    <div ref={ref} className={css["surface"]}>
      <svg
        width={width}
        height={HEIGHT}
        aria-hidden="true"
        className={`mirrored ${css["svg"]}`}
        onPointerMove={follow}
        onPointerDown={follow}
        onPointerLeave={() => onActivate(null)}
      >
        <LeftAxis ticks={countTicks(y, 4)} left={MARGIN.left} right={width - MARGIN.right} />
        <AreaClosed data={volume} x={xOf} y={yOf} yScale={y} className={css["area"] ?? ""} />
        <LinePath data={volume} x={xOf} y={yOf} className={css["line"] ?? ""} />
        {volume.length <= 31 &&
          volume.map((entry) => (
            <circle key={entry.day} cx={xOf(entry)} cy={yOf(entry)} r={2.5} className={css["dot"]} />
          ))}
        {point && (
          <>
            <line x1={xOf(point)} x2={xOf(point)} y1={MARGIN.top} y2={HEIGHT - MARGIN.bottom} className={css["rule"]} />
            <circle cx={xOf(point)} cy={yOf(point)} r={5} className={css["activeDot"]} />
          </>
        )}
        <BottomAxis
          ticks={tickDays(days, width).map((day) => ({ key: day, at: x(day) ?? 0, text: shortDayText(day) }))}
          left={MARGIN.left}
          right={width - MARGIN.right}
          y={HEIGHT - MARGIN.bottom}
        />
      </svg>
      {point && (
        <ChartTip x={xOf(point)} y={Math.max(0, yOf(point) - 30)} width={width}>
          <strong>{leadsText(point.lead_count)}</strong>
          <span>{dayText(point.day)}</span>
        </ChartTip>
      )}
    </div>
  );
}

/** As many days as fit without touching, always including the last: a letter takes 7 px, the gap between two days 14. */
function tickDays(days: readonly string[], width: number): string[] {
  const longest = Math.max(0, ...days.map((day) => shortDayText(day).length));
  const every = Math.max(1, Math.ceil((days.length * (longest * 7 + 14)) / Math.max(width, 1)));
  return days.filter((_, index) => (days.length - 1 - index) % every === 0);
}
