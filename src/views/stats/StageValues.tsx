import { t } from "@lingui/core/macro";
import { useId, useMemo } from "react";
import { stageFigures } from "../../machines/stats/stats.figures.ts";
import { Stats } from "../../machines/stats/stats.machine.ts";
import { Card, Box, Grid, Note, Stack, Span } from "../../ui/layout.tsx";
import { Meter } from "../../ui/Meter.tsx";
import { amountText } from "../../language/format.ts";

/** The value of the period's leads by stage; `name` is the value field's, null while unknown. */
export function StageValues({ name }: { name: string | null }) {
  const id = useId();
  const { breakdown } = Stats.useSelector(({ context }) => context.figures);
  const stages = Stats.useSelector(({ context }) => context.stages);
  const unknown = t({ message: "Unknown", comment: "In place of the name of a stage." });
  const rows = useMemo(() => {
    const values = new Map(breakdown?.map(({ stage_id: stage, value }) => [String(stage), value ?? 0]));
    return stageFigures(breakdown ?? [], stages, unknown).map((stage) => ({
      ...stage,
      value: values.get(stage.id) ?? 0,
    }));
  }, [breakdown, stages, unknown]);
  const most = Math.max(...rows.map(({ value }) => value), 0);
  const total = rows.reduce((sum, { value }) => sum + value, 0);
  return (
    <Stack as={Card} gap={3} before={4} aria-labelledby={id}>
      <h2 id={id}>{name === null ? t`Value per Stage` : t`${name} per Stage`}</h2>
      <Note>{t`${{ total: amountText(total) }} in all.`}</Note>
      <Stack as="ul" gap={3}>
        {rows.map((row) => (
          <Grid as="li" columns="minmax(0, 1fr) auto" gap={[1, 3]} key={row.id}>
            <Span clamp={1} dir="auto">
              {row.name}
            </Span>
            <Span weight="strong">{amountText(row.value)}</Span>
            <Box share="line">
              <Meter value={row.value} max={most} color={row.color} />
            </Box>
          </Grid>
        ))}
      </Stack>
    </Stack>
  );
}
