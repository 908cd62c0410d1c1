import { use } from "react";
import { numberText, percentText } from "../../machines/kit/format.ts";
import {
  selectAreStagesLoading,
  selectAreStagesUnread,
  selectConversion,
  selectConversionStageId,
  selectFigures,
  selectIsConversionLoading,
  selectIsConversionUnread,
  selectIsIncomplete,
  selectIsLoading,
  selectPeriod,
  selectStages,
  useStats,
  useStatsEvents,
} from "../../machines/stats/index.ts";
import { Card } from "../../ui/Card.tsx";
import { ActingSelect } from "../../ui/ActingSelect.tsx";
import { OfflineContext } from "../../ui/offline.ts";
import { Unread } from "../../ui/Unread.tsx";
import css from "./FigureCards.module.css";

export function TotalCard() {
  const { total } = useStats(selectFigures);
  const period = useStats(selectPeriod);
  const isLoading = useStats(selectIsLoading);
  const isIncomplete = useStats(selectIsIncomplete);
  return (
    <Card className={css["card"]}>
      <h2 className={css["label"]}>Total Leads</h2>
      <p className={css["figure"]} data-stale={isLoading ? "" : undefined}>
        {total === null ? "-" : numberText(total)}
      </p>
      {total === null && isIncomplete && <Unread className={css["missing"]} />}
      {period.name === "7d" && (
        <p className={css["note"]}>UTC days, today included. Leads (7d) on the dashboard counts the last 168 hours.</p>
      )}
    </Card>
  );
}

export function ConversionCard() {
  const stages = useStats(selectStages);
  const stageId = useStats(selectConversionStageId);
  const conversion = useStats(selectConversion);
  const isLoading = useStats(selectIsConversionLoading);
  const isUnread = useStats(selectIsConversionUnread);
  const areStagesUnread = useStats(selectAreStagesUnread);
  const areStagesLoading = useStats(selectAreStagesLoading);
  const isOffline = use(OfflineContext);
  const { chooseConversionStage } = useStatsEvents();
  return (
    <Card className={css["conversion"]}>
      <ActingSelect
        label="Conversion to"
        className={css["select"]}
        disabled={stages.length === 0}
        value={stageId}
        onChoose={chooseConversionStage}
      >
        {stages.length === 0 && <option value="">{noStagesText(areStagesUnread, areStagesLoading, isOffline)}</option>}
        {stages.map((stage) => (
          <option key={stage.id} value={stage.id}>
            {stage.name}
          </option>
        ))}
      </ActingSelect>
      <div>
        <p className={css["figure"]} data-stale={isLoading ? "" : undefined}>
          {percentText(conversion?.percentage ?? null)}
        </p>
        {isUnread && <Unread className={css["missing"]} />}
        {conversion !== null && (
          <p className={css["note"]}>
            {numberText(conversion.count)} / {numberText(conversion.total)} converted
          </p>
        )}
      </div>
    </Card>
  );
}

function noStagesText(areUnread: boolean, areLoading: boolean, isOffline: boolean): string {
  if (areUnread) return isOffline ? "-" : "not read";
  return areLoading ? "Loading stages..." : "No stages yet";
}
