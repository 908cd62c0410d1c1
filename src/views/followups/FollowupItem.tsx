import { t } from "@lingui/core/macro";
import { Trash2 } from "lucide-react";
import { DELAY_MAX_HOURS, DELAY_MIN_HOURS } from "../../../domain/limits.ts";
import { Followups, selectDeletingId } from "../../machines/followups/followups.machine.ts";
import {
  type FollowupEdit,
  type FollowupRow,
  delayInDays,
  delayProblem,
  lengthOfRow,
} from "../../machines/followups/followups.rows.ts";
import { Conflict } from "../../ui/Conflict.tsx";
import { IconButton } from "../../ui/Button.tsx";
import { Mark } from "../../ui/Mark.tsx";
import { NumberField, TextArea } from "../../ui/Field.tsx";
import { PlaceholderPreview } from "../preview/PlaceholderPreview.tsx";
import { Grid, Stack } from "../../ui/layout.tsx";
import css from "./FollowupGroups.module.css";
import { FollowupMedia } from "./FollowupMedia.tsx";
import { StepFigures } from "./StepResults.tsx";

type FollowupItemProps = {
  row: FollowupRow;
  position: number;
  /** The name of its group. */
  stage: string;
};

export function FollowupItem({ row, position, stage }: FollowupItemProps) {
  const canChange = Followups.useCan({ type: "followup.change", id: row.id, change: {} });
  const canChoose = Followups.useCan({ type: "followup.choose", id: row.id, version: "mine" });
  const remove = { type: "followup.delete", id: row.id } as const;
  const canDelete = Followups.useCan(remove);
  const refusal = Followups.useSelector((chart) => chart.context.refusal);
  const length = lengthOfRow(row);
  const isDeleting = Followups.useSelector(selectDeletingId) === row.id;
  const send = Followups.useSend();
  const edit = (change: FollowupEdit) => send({ type: "followup.change", id: row.id, change });
  return (
    <li aria-busy={isDeleting || undefined}>
      <Grid
        columns="1.75rem minmax(0, 1fr) 8.5rem auto"
        align="start"
        gap={3}
        pad={4}
        className={css["item"]}
        role="group"
        aria-label={t`${stage}, follow-up ${position}`}
      >
        <Stack
          as="span"
          justify="center"
          size="sm"
          tone="accent"
          tint="accent"
          weight="strong"
          className={css["position"]}
        >
          {position}
        </Stack>
        <Stack gap={2} share="less">
          <TextArea
            label={t`Message`}
            isLabelHidden
            dir="auto"
            rows={2}
            value={row.message}
            readOnly={!canChange}
            description={length.note}
            errorMessage={length.problem}
            onChange={(event) => edit({ message: event.target.value })}
          />
          {row.isConflict && (
            <Conflict
              isDisabled={!canChoose}
              onKeepMine={() => send({ type: "followup.choose", id: row.id, version: "mine" })}
              onUseSaved={() => send({ type: "followup.choose", id: row.id, version: "saved" })}
            >
              {t`This follow-up was changed elsewhere. The saved version (delay in hours: ${{ delay: row.saved.delay }}): “${{ message: row.saved.message }}”`}
            </Conflict>
          )}
          <PlaceholderPreview text={row.message} target={{ kind: "stage", stageId: row.stageId ?? "" }} />
          <FollowupMedia media={row.media} />
          <StepFigures id={row.id} />
          {refusal?.id === row.id && (
            <Mark retryLabel={t`Try again: delete`} onRetry={canDelete ? () => send(remove) : undefined}>
              {refusal.message}
            </Mark>
          )}
        </Stack>
        <NumberField
          label={t`Delay (hours)`}
          className={css["delay"]}
          min={DELAY_MIN_HOURS}
          max={DELAY_MAX_HOURS}
          step={1}
          value={row.delay}
          readOnly={!canChange}
          description={delayInDays(row.delay)}
          errorMessage={delayProblem(row.delay)}
          onChange={(event) => edit({ delay: event.target.value })}
        />
        <IconButton
          label={t`Delete`}
          icon={<Trash2 />}
          className={css["delete"]}
          aria-disabled={!canDelete || undefined}
          onClick={() => send(remove)}
        />
      </Grid>
    </li>
  );
}
