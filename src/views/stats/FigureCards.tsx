import { t } from "@lingui/core/macro";
import { use } from "react";
import { numberText, percentText } from "../../language/format.ts";
import { Stats, type StatsSnapshot } from "../../machines/stats/stats.machine.ts";
import { Card, Note, Row, Stack, Text } from "../../ui/layout.tsx";
import { ActionSelect } from "../../ui/ActionSelect.tsx";
import { Options } from "../../ui/Field.tsx";
import { MissingFigure, OfflineContext } from "../../ui/LoadError.tsx";
import css from "./StatsView.module.css";

export function TotalCard() {
  const [chart] = Stats.use();
  const { period, figures } = chart.context;
  const { total } = figures;
  return (
    <Stack as={Card} gap={1}>
      <Note as="h2" weight="medium">
        {t`Total Leads`}
      </Note>
      <p className={css["figure"]} data-stale={chart.matches({ figures: "loading" }) ? "" : undefined}>
        {total === null ? "-" : numberText(total)}
      </p>
      {total === null && chart.matches({ figures: "incomplete" }) && (
        <MissingFigure size="sm" tone="warn" weight="firm" />
      )}
      {period.name === "7d" && (
        <Text tone="muted">{t`UTC days, today included. Leads (7d) on the dashboard counts the last 168 hours.`}</Text>
      )}
    </Stack>
  );
}

export function ConversionCard() {
  const [chart, send] = Stats.use();
  const { stages, conversion, conversionStageId } = chart.context;
  const isOffline = use(OfflineContext);
  return (
    <Row as={Card} wraps align="start" className={css["conversion"]}>
      <ActionSelect
        label={t`Conversion to`}
        className={css["select"]}
        disabled={stages.length === 0}
        value={conversionStageId}
        onChoose={(stageId) => send({ type: "conversionStage.choose", stageId })}
      >
        {stages.length === 0 && <option value="">{noStagesText(chart.value.stages, isOffline)}</option>}
        <Options items={stages} />
      </ActionSelect>
      <div>
        <p className={css["figure"]} data-stale={chart.matches({ conversion: "loading" }) ? "" : undefined}>
          {percentText(conversion?.percentage ?? null)}
        </p>
        {chart.matches({ conversion: "failed" }) && <MissingFigure size="sm" tone="warn" weight="firm" />}
        {conversion !== null && (
          <Text tone="muted">
            {t`${{ count: numberText(conversion.count) }} / ${{ total: numberText(conversion.total) }} converted`}
          </Text>
        )}
      </div>
    </Row>
  );
}

function noStagesText(stages: StatsSnapshot["value"]["stages"], isOffline: boolean): string {
  if (stages === "loadFailed" || stages === "outdated") return isOffline ? "-" : t`not read`;
  return stages === "loading" ? t`Loading stages...` : t`No stages yet`;
}
