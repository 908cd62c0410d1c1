import { Trash2 } from "lucide-react";
import { DELAY_MAX_HOURS, DELAY_MIN_HOURS } from "../../../domain/limits.ts";
import {
  type FollowupRow,
  delayInDays,
  delayProblem,
  lengthOfRow,
  selectDeletingId,
  selectRefusal,
  useCanFollowups,
  useFollowups,
  useFollowupsEvents,
} from "../../machines/followups/index.ts";
import { Conflict } from "../../ui/Conflict.tsx";
import { IconButton } from "../../ui/IconButton.tsx";
import { Mark } from "../../ui/Mark.tsx";
import { NumberField } from "../../ui/NumberField.tsx";
import { TextArea } from "../../ui/TextArea.tsx";
import { PlaceholderPreview } from "../preview/PlaceholderPreview.tsx";
import { Grid, Stack } from "../../ui/layout.tsx";
import css from "./FollowupGroups.module.css";
import { FollowupMedia } from "./FollowupMedia.tsx";
import { StepFigures } from "./StepResults.tsx";

type FollowupItemProps = {
  row: FollowupRow;
  position: number;
  /** The name of the group that it stands in. */
  stage: string;
};

export function FollowupItem({ row, position, stage }: FollowupItemProps) {
  const canChange = useCanFollowups({ type: "followup.change", id: row.id, change: {} });
  const canChoose = useCanFollowups({ type: "followup.choose", id: row.id, version: "mine" });
  const canDelete = useCanFollowups({ type: "followup.delete", id: row.id });
  const refusal = useFollowups(selectRefusal);
  const length = lengthOfRow(row);
  const isDeleting = useFollowups(selectDeletingId) === row.id;
  const { changeFollowup, chooseVersion, deleteFollowup } = useFollowupsEvents();
  return (
    <li aria-busy={isDeleting || undefined}>
      <Grid
        columns="1.75rem minmax(0, 1fr) 8.5rem auto"
        align="start"
        gap={3}
        pad={4}
        className={css["item"]}
        role="group"
        aria-label={`${stage}, follow-up ${position}`}
      >
        <Stack as="span" size="sm" tone="accent" weight="strong" className={css["position"]}>
          {position}
        </Stack>
        <Stack gap={2} share="less">
          <TextArea
            label="Message"
            isLabelHidden
            dir="auto"
            rows={2}
            value={row.message}
            readOnly={!canChange}
            description={length.note}
            errorMessage={length.problem}
            onChange={(event) => changeFollowup(row.id, { message: event.target.value })}
          />
          {row.isConflict && (
            <Conflict
              isDisabled={!canChoose}
              onKeepMine={() => chooseVersion(row.id, "mine")}
              onUseSaved={() => chooseVersion(row.id, "saved")}
            >
              {`This follow-up was changed elsewhere. The saved version, after ${row.saved.delay} hours: “${row.saved.message}”`}
            </Conflict>
          )}
          <PlaceholderPreview text={row.message} stageId={row.stageId} />
          <FollowupMedia media={row.media} />
          <StepFigures id={row.id} />
          {refusal?.id === row.id && (
            <Mark retryLabel="Try again: delete" onRetry={canDelete ? () => deleteFollowup(row.id) : undefined}>
              {refusal.words}
            </Mark>
          )}
        </Stack>
        <NumberField
          label="Delay (hours)"
          className={css["delay"]}
          min={DELAY_MIN_HOURS}
          max={DELAY_MAX_HOURS}
          step={1}
          value={row.delay}
          readOnly={!canChange}
          description={delayInDays(row.delay)}
          errorMessage={delayProblem(row.delay)}
          onChange={(event) => changeFollowup(row.id, { delay: event.target.value })}
        />
        <IconButton
          label="Delete"
          icon={<Trash2 />}
          className={css["delete"]}
          disabled={!canDelete}
          onClick={() => deleteFollowup(row.id)}
        />
      </Grid>
    </li>
  );
}
