import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { scaleLinear, scalePoint } from "@visx/scale";
import { LinePath } from "@visx/shape";
import { leadsText, percentText, shortened } from "../../language/format.ts";
import type { CumulativePoint, StageStep } from "../../machines/stats/stats.figures.ts";
import { Card, Box, Grid, Note, Stack, Span } from "../../ui/layout.tsx";
import { Meter } from "../../ui/Meter.tsx";
import { useWidth } from "../../ui/hooks.ts";
import chart from "./charts.module.css";
import { MissingFigure } from "../../ui/LoadError.tsx";

/** The conversion from stage to stage as bars, beside the share of all leads that reached each stage. */
export function ConversionSteps({
  steps,
  cumulative,
  isCumulativeRead,
}: {
  steps: StageStep[];
  cumulative: CumulativePoint[];
  isCumulativeRead: boolean;
}) {
  return (
    <Card aria-label={t`Stage-to-Stage Conversion`}>
      <h2>{t`Stage-to-Stage Conversion`}</h2>
      {steps.length === 0 ? (
        <p className={chart["empty"]}>{t`Two stages or more are needed for a conversion.`}</p>
      ) : (
        <Grid min="20rem" before={4} className={chart["columns"]}>
          <Stack as="ol" gap={4}>
            {steps.map((step) => (
              <Step key={`${step.from} ${step.to}`} step={step} />
            ))}
          </Stack>
          {cumulative.length > 1 && <CumulativeLine points={cumulative} />}
          {!isCumulativeRead && (
            <MissingFigure className={chart["empty"]}>{t`Reached this stage or later: not read`}</MissingFigure>
          )}
        </Grid>
      )}
    </Card>
  );
}

function Step({ step: { from, to, rate, color } }: { step: StageStep }) {
  return (
    <Grid as="li" columns="minmax(0, 1fr) auto" gap={[1, 3]}>
      <Span share="less">
        <Trans>
          <bdi>{from}</bdi> → <bdi>{to}</bdi>
        </Trans>
      </Span>
      <Span weight="strong">{percentText(rate)}</Span>
      <Box share="line">
        <Meter value={rate ?? 0} max={100} color={color} />
      </Box>
    </Grid>
  );
}

const HEIGHT = 170;
const MARGIN = { top: 26, right: 30, bottom: 26, left: 30 };

/** The share of all leads that reached each stage or a later one. Its figures are written at each point. */
function CumulativeLine({ points }: { points: CumulativePoint[] }) {
  const [width, ref] = useWidth(320);
  const places = points.map((_, index) => index);
  const x = scalePoint({ domain: places, range: [MARGIN.left, width - MARGIN.right] });
  const y = scaleLinear({ domain: [0, 100], range: [HEIGHT - MARGIN.bottom, MARGIN.top] });
  const xOf = (index: number) => x(index) ?? 0;
  const yOf = (index: number) => y(points[index]?.rate ?? 0);
  // The first and last labels are aligned to the figure's edges, whatever their length.
  const nameAt = (index: number) => {
    if (points.length > 1 && index === 0) return { x: 0, textAnchor: "start" as const };
    if (points.length > 1 && index === points.length - 1) return { x: width, textAnchor: "end" as const };
    return { x: xOf(index), textAnchor: "middle" as const };
  };
  const letters = Math.max(4, Math.floor((width - 40) / points.length / 6.5));
  const spoken = points
    .map(({ name, rate, reached }) => `${name} ${percentText(rate)}, ${leadsText(reached)}`)
    .join("; ");
  return (
    <Box as="figure" share="less">
      <Note as="figcaption">{t`Reached this stage or later`}</Note>
      <div ref={ref} className={chart["surface"]}>
        <svg
          className={`mirrored ${chart["cumulative"]}`}
          width={width}
          height={HEIGHT}
          role="img"
          aria-label={t`Reached this stage or later: ${spoken}`}
        >
          <LinePath data={places} x={xOf} y={yOf} className={chart["line"] ?? ""} />
          {points.map(({ name, rate }, index) => (
            <g key={name}>
              <circle cx={xOf(index)} cy={yOf(index)} r={4} className={chart["activeDot"]} />
              <text x={xOf(index)} y={yOf(index) - 10} textAnchor="middle" className={chart["value"]}>
                {percentText(rate)}
              </text>
              <text {...nameAt(index)} y={HEIGHT - 6} className={chart["tick"]}>
                {shortened(name, letters)}
              </text>
            </g>
          ))}
        </svg>
      </div>
    </Box>
  );
}
