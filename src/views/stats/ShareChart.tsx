import { t } from "@lingui/core/macro";
import { Pie } from "@visx/shape";
import { leadsText, percentText } from "../../language/format.ts";
import type { StageFigure } from "../../machines/stats/stats.figures.ts";
import { ColorDot } from "../../ui/Badge.tsx";
import { ChartFrame } from "./ChartFrame.tsx";
import { Row, Stack, Span } from "../../ui/layout.tsx";
import css from "./charts.module.css";

const SIZE = 180;
const OUTER = SIZE / 2 - 6;

export function ShareChart({ stages }: { stages: StageFigure[] }) {
  const total = stages.reduce((sum, { count }) => sum + count, 0);
  return (
    <ChartFrame
      title={t`Leads per Stage, in Percent`}
      points={stages.map(({ name, share, count }) => `${name}: ${percentText(share)}, ${leadsText(count)}`)}
      columns={[t`Stage`, t`Share`]}
      rows={stages.map(({ id, name, share }) => ({ key: id, cells: [name, percentText(share)] }))}
      isEmpty={total === 0}
    >
      {(active, onActivate) => (
        <Row wraps justify="center" gap={5} className={css["share"]}>
          <svg
            width={SIZE}
            height={SIZE}
            aria-hidden="true"
            className={css["svg"]}
            onPointerLeave={() => onActivate(null)}
          >
            <g transform={`translate(${SIZE / 2} ${SIZE / 2})`}>
              <Pie
                data={stages}
                pieValue={({ count }) => count}
                pieSort={null}
                pieSortValues={null}
                outerRadius={({ index }) => OUTER + (index === active ? 5 : 0)}
                innerRadius={OUTER * 0.62}
                padAngle={stages.length > 1 ? 0.012 : 0}
              >
                {({ arcs, path }) =>
                  arcs.map((arc) => (
                    <path
                      key={arc.data.id}
                      d={path(arc) ?? ""}
                      fill={arc.data.color}
                      className={css["slice"]}
                      data-faded={active !== null && active !== arc.index ? "" : undefined}
                      onPointerEnter={() => onActivate(arc.index)}
                    />
                  ))
                }
              </Pie>
            </g>
            <text x={SIZE / 2} y={SIZE / 2 - 2} className={css["centre"]} textAnchor="middle">
              {active === null ? percentText(100) : percentText(stages[active]?.share ?? null)}
            </text>
            <text x={SIZE / 2} y={SIZE / 2 + 18} className={css["centreNote"]} textAnchor="middle">
              {leadsText(active === null ? total : (stages[active]?.count ?? 0))}
            </text>
          </svg>
          <Stack as="ul" share="less" className={css["legend"]}>
            {stages.map(({ id, name, share, color }, index) => (
              <li key={id} data-active={index === active ? "" : undefined} onPointerEnter={() => onActivate(index)}>
                <ColorDot color={color} />
                <Span share="rest" clamp={1}>
                  <bdi>{name}</bdi>
                </Span>
                <Span weight="medium">{percentText(share)}</Span>
              </li>
            ))}
          </Stack>
        </Row>
      )}
    </ChartFrame>
  );
}
